import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Clock, LineSplitter } from 'dsh-brand'
import type { WireReport } from 'dsh-llm-wire'
import { SnapshotError } from '../error.ts'
import { isFields } from '../log/lines.ts'
import { settlesWithin } from '../run/wait.ts'

/** Program and arguments of the embedded model; the script and its options are appended. */
export type ModelCommand = readonly [string, ...string[]]

/** The embedded model of this project. */
export function embeddedModel(): ModelCommand {
  const manifest = createRequire(import.meta.url).resolve('dsh-llm-wire/package.json')
  return [process.execPath, join(dirname(manifest), 'bin.js')]
}

/** How the embedded model is started, and what it answers from. */
export interface WireProcessOptions {
  /** How the program is started. */
  readonly command: ModelCommand
  /** The `wire.json`, absolute. */
  readonly script: string
  /** What `{{cwd}}` in the script stands for. */
  readonly cwd: string
  /** For the bounds on its start and its end. */
  readonly clock: Clock
  /** For the start and for the end each, in milliseconds. Default 20,000. */
  readonly timeoutMs?: number
}

/** What came of a model's life: its report, or why there is none. */
export type WireEnd = { readonly report: WireReport } | { readonly failure: string }

const STDERR_KEPT = 4_000

/**
 * The embedded model as a process and a port of its own, so that nothing but this run's agent can
 * reach it, and nothing outlives the run: it ends when its stdin does.
 */
export class WireProcess {
  readonly url: string
  private readonly child: Child
  private readonly options: WireProcessOptions

  private constructor(url: string, child: Child, options: WireProcessOptions) {
    this.url = url
    this.child = child
    this.options = options
  }

  /** @throws SnapshotError `BAD_MODEL` where it does not serve, with what it said. */
  static async start(options: WireProcessOptions): Promise<WireProcess> {
    const child = new Child(options)
    await settlesWithin(child.served, options.clock, options.timeoutMs ?? 20_000)
    const { url } = child
    if (url !== undefined) return new WireProcess(url, child, options)
    await child.kill()
    const why = child.stderr.trim() || 'it did not say that it serves'
    throw new SnapshotError('BAD_MODEL', `the embedded model did not start: ${why}`)
  }

  /** Ends it and reads what it has to report. Bounded; never rejects. */
  async end(): Promise<WireEnd> {
    const { child, options } = this
    child.process.stdin.end()
    await settlesWithin(child.closed, options.clock, options.timeoutMs ?? 20_000)
    await child.kill()
    if (child.report !== undefined) return { report: child.report }
    return { failure: child.stderr.trim() || 'it ended without a report' }
  }
}

class Child {
  readonly process: ChildProcessWithoutNullStreams
  url: string | undefined
  report: WireReport | undefined
  stderr = ''
  /** Settles once it serves, or never will. */
  readonly served: Promise<void>
  readonly closed: Promise<void>

  constructor({ command, script, cwd }: WireProcessOptions) {
    const [program, ...args] = command
    this.process = spawn(program, [...args, script, '--cwd', cwd], {
      // Nothing of the host's: it answers from its script alone.
      env: { PATH: process.env['PATH'] },
      stdio: 'pipe',
    })
    const { stdin, stdout, stderr } = this.process
    const note = (error: Error): void => {
      this.stderr += error.message
    }
    stdin.on('error', note)
    stderr.on('data', (chunk: Buffer) => {
      this.stderr = (this.stderr + chunk.toString('utf8')).slice(-STDERR_KEPT)
    })
    this.process.on('error', note)
    this.closed = new Promise((resolve) => {
      this.process.once('close', () => resolve())
    })
    this.served = new Promise((resolve) => {
      const lines = new LineSplitter()
      stdout.on('data', (chunk: Buffer) => {
        for (const line of lines.push(chunk)) this.take(line.toString('utf8'))
        if (this.url !== undefined) resolve()
      })
      void this.closed.then(resolve)
    })
  }

  async kill(): Promise<void> {
    this.process.kill('SIGKILL')
    await this.closed
  }

  private take(line: string): void {
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      // Whatever it is, it belongs to the explanation of why there is no model.
      this.stderr += `${line}\n`
    }
    if (!isFields(value)) return
    if (typeof value['url'] === 'string') this.url = value['url']
    if (isFields(value['report'])) this.report = value['report'] as unknown as WireReport
  }
}
