import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Context, Plugin } from '@deepseek-ai/cordis'
import type { Clock } from 'dsh-brand'
import { onTestFinished } from 'vitest'
import {
  type BootError,
  type BootOptions,
  bootComposition,
  type Composition,
  type Importer,
} from '../src/index.ts'

/** A temporary folder with these files, removed when the test ends. */
export class Project {
  readonly dir: string = mkdtempSync(join(tmpdir(), 'dsh-boot-'))

  constructor(files: Record<string, string>) {
    onTestFinished(() => rmSync(this.dir, { recursive: true, force: true }))
    for (const [name, text] of Object.entries(files)) this.write(name, text)
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true })
    writeFileSync(this.path(name), text)
  }

  path(name: string): string {
    return join(this.dir, name)
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8')
  }
}

/** A clock whose timers fire when the test says so. */
export class ManualClock implements Clock {
  private time = 0
  private timers: { at: number; run: () => void }[] = []

  now(): number {
    return this.time
  }

  monotonic(): number {
    return this.time
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.time + ms, run }
    this.timers.push(timer)
    return () => {
      this.timers = this.timers.filter((other) => other !== timer)
    }
  }

  advance(ms: number): void {
    this.time += ms
    const due = this.timers.filter((timer) => timer.at <= this.time)
    this.timers = this.timers.filter((timer) => timer.at > this.time)
    for (const timer of due) timer.run()
  }

  get pending(): number {
    return this.timers.length
  }
}

/** What plugins under test say, in order; and the log lines. */
export interface Booted extends Composition {
  readonly said: unknown[]
  readonly lines: string[]
}

export type Setup = Omit<BootOptions, 'config'> & { said?: unknown[]; lines?: string[] }

/** Boots `project/<file>`, with a service `probe` (an array) that plugins may push to. */
export async function boot(project: Project, file: string, setup: Setup = {}): Promise<Booted> {
  const { said = [], lines = [], ...options } = setup
  const composition = await bootComposition({
    stderr: { write: (text) => lines.push(text) },
    ...options,
    config: project.path(file),
    prepare: async (ctx) => {
      ctx.provide('probe', said)
      await options.prepare?.(ctx)
    },
  })
  onTestFinished(() => composition.dispose())
  return { ...composition, said, lines }
}

/** The error of a boot that must fail. */
export async function bootFailure(
  project: Project,
  file: string,
  setup: Setup = {},
): Promise<BootError> {
  const error: unknown = await boot(project, file, setup).then(
    () => new Error('the boot did not fail'),
    (reason: unknown) => reason,
  )
  if ((error as Error).name !== 'BootError') throw error
  return error as BootError
}

/** Plugins from memory, by name; any other name is an error. */
export function memory(modules: Record<string, unknown>): Importer {
  return {
    import: async (name) => {
      if (Object.hasOwn(modules, name)) return modules[name]
      throw new Error(`no module ${name}`)
    },
  }
}

/** A plugin file that pushes `[tag, config]` to the probe. */
export function teller(tag: string): string {
  return `export const name = '${tag}'
export const inject = ['probe']
export const apply = (ctx, config) => { ctx.probe.push(['${tag}', config]) }
`
}

export interface Deferred<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
}

/** Mounts a plugin in code, whatever its type. */
export function mount(ctx: Context, plugin: object, config?: unknown): void {
  ctx.plugin(plugin as Plugin, config)
}

export function deferred<T>(): Deferred<T> {
  let resolve!: (value: T) => void
  let reject!: (error: unknown) => void
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

/** Rows start side by side: what they say has no order of its own. */
export function sorted(said: readonly unknown[]): unknown[] {
  return [...said].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}
