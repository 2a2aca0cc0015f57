import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Context } from '@deepseek-ai/cordis'
import type { Clock } from 'dsh-brand'
import type { StreamChunk } from 'dsh-llm'
import { parseLogText, type StoredLog } from 'dsh-session'
import { onTestFinished } from 'vitest'
import { FakeProcess } from '../../spine/tests/process.ts'
import * as bundle from '../src/index.ts'

export class ShellProcess extends FakeProcess implements bundle.StdioProcess {
  readonly argv: readonly string[]
  declare readonly stdin: FakeProcess['stdin'] & { isTTY?: boolean }
  private readonly dir: string
  private readonly heard: { readonly text: string; readonly tell: () => void }[] = []
  private all = ''

  constructor(dir: string, ...args: string[]) {
    super()
    this.dir = dir
    this.argv = ['node', 'bin.js', ...args]
    this.stderr.on('data', (text: string) => {
      this.all += text
      for (const { text, tell } of this.heard) if (this.all.includes(text)) tell()
    })
  }

  cwd(): string {
    return this.dir
  }

  /** What stderr had so far, ids and folders apart. */
  override said(): string {
    return this.all.replace(/[0-9a-f-]{36}/g, 'ID').replaceAll(this.dir, 'DIR')
  }

  /** Resolves once stderr has had this text. */
  hears(text: string): Promise<void> {
    return new Promise((tell) => {
      if (this.all.includes(text)) tell()
      else this.heard.push({ text, tell })
    })
  }

  printed(): string {
    return (this.stdout.read() as Buffer | null)?.toString() ?? ''
  }
}

const STOP: StreamChunk = { type: 'finish', reason: { kind: 'stop' } }
const calls = (name: string): StreamChunk[] => [
  {
    type: 'block-end',
    index: 0,
    block: { type: 'tool-call', id: 'c', name, arguments: '{"of":"it"}' },
  },
  { type: 'finish', reason: { kind: 'tool-calls' } },
]
const text = (...pieces: string[]): StreamChunk[] =>
  pieces.map((piece) => ({ type: 'text-delta', index: 0, text: piece }))

/** Answers by the last words of the user: they name a tool, or what becomes of the call. */
const model = {
  name: 'model',
  inject: ['llm'],
  apply(ctx: Context) {
    ctx.on('llm/stream', async function* (options): AsyncGenerator<StreamChunk> {
      const block = options.messages.at(-1)?.content.at(-1)
      const words = block?.type === 'text' ? block.text : ''
      switch (words) {
        case 'fail':
          throw new Error('no key')
        case 'hang':
          yield* text('Well')
          await new Promise((_, reject) => {
            const abort = () => reject(new Error('aborted'))
            options.signal?.addEventListener('abort', abort)
          })
          return
        case 'deaf':
        case 'child':
          yield* calls(words)
          return
        default:
          yield* text('P', 'ON', 'G')
          yield STOP
      }
    })
  },
}

/** `deaf` runs for ever, whatever its signal says; `child` writes to a session of its own. */
const tools = {
  name: 'tools',
  inject: ['tools', 'sessions'],
  apply(ctx: Context) {
    const parts = { description: '', parameters: { type: 'object' }, kind: 'other' } as const
    ctx.tools.register({ ...parts, name: 'deaf', execute: () => new Promise(() => undefined) })
    ctx.tools.register({
      ...parts,
      name: 'child',
      display: (args) => ({ title: JSON.stringify(args) }),
      execute: async (_args, { session }) => {
        const child = ctx.sessions.create({ cwd: session.cwd, parentSession: session.id })
        const chunk = { type: 'text-delta', index: 0, text: 'of the child' } as const
        child.append('assistant/chunk', { turn: 1, step: 1, chunk })
        return { content: [{ type: 'text', text: 'did' }] }
      },
    })
  },
}

export async function tempDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'stdio-demo-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  return dir
}

export interface RunParts {
  readonly config?: Readonly<Record<string, unknown>>
  readonly clock?: Clock
}

/** Runs a shell whose logs go to `sessions` in its folder. */
export async function run(process: ShellProcess, parts: RunParts = {}): Promise<void> {
  const dir = process.cwd()
  const spine = { sessionsRoot: join(dir, 'sessions'), agent: { model: 'm' }, ...parts.config }
  const rows = [
    { id: 'model', name: 'model' },
    { id: 'spine', name: 'spine', config: spine },
    { id: 'tools', name: 'tools' },
  ]
  await writeFile(join(dir, 'cordis.yml'), JSON.stringify(rows))
  const modules: Record<string, unknown> = { model, spine: bundle, tools }
  await bundle.runStdioAgent(
    {
      config: pathToFileURL(join(dir, 'cordis.yml')),
      importer: { import: (name) => Promise.resolve(modules[name]) },
      ...(parts.clock !== undefined && { clock: parts.clock }),
    },
    process,
  )
}

/** The lines of the one root log below a folder, and what they say. */
export async function logOf(dir: string): Promise<{ lines: string[]; log: StoredLog }> {
  const files = await readdir(join(dir, 'sessions'), { recursive: true })
  const texts = await Promise.all(
    files
      .filter((file) => file.endsWith('session.jsonl'))
      .map((file) => readFile(join(dir, 'sessions', file), 'utf8')),
  )
  const [root, ...others] = texts.filter((each) => !each.includes('"parentSession"'))
  if (root === undefined || others.length > 0) throw new Error(`${texts.length} logs`)
  return { lines: root.trimEnd().split('\n'), log: parseLogText(root) }
}
