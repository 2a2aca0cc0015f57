import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import { brandString } from 'dsh-brand'
import * as sessions from 'dsh-session'
import type { Session, SessionId } from 'dsh-session'
import { onTestFinished } from 'vitest'
import * as plugin from '../src/index.ts'
import { logPath } from '../src/index.ts'

export const id = (text: string): SessionId => brandString<'SessionId'>(text)

export function tempDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dsh-session-jsonl-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export interface MountOptions {
  readonly uuids?: readonly string[]
  readonly now?: number
  readonly packChunks?: boolean
}

/** A root context with sessions, and with the backend where a folder is given. */
export async function mount(root?: string, options: MountOptions = {}): Promise<Context> {
  const ctx = new Context()
  const uuids = [...(options.uuids ?? [])]
  let count = 0
  const now = options.now ?? 1000
  await ctx.plugin(sessions, {
    clock: { now: () => now, monotonic: () => 0, after: () => () => undefined },
    ids: { uuid: () => uuids.shift() ?? `s${count++}` },
  })
  await ready(ctx)
  if (root !== undefined) await ctx.plugin(plugin, { root, packChunks: options.packChunks })
  onTestFinished(() => ctx.fiber.dispose())
  return ctx
}

function ready(ctx: Context): Promise<void> {
  return new Promise((resolve) => {
    ctx.inject(['sessions'], () => resolve())
  })
}

export function fileOf(root: string, session: Session): string {
  return logPath(root, session.cwd, session.id)
}

export function linesOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return text.split('\n').slice(0, -1)
}

/** Streams a text in pieces, as the loop does. */
export function chunks(session: Session, pieces: readonly string[]): void {
  for (const text of pieces) {
    const chunk = { type: 'text-delta', index: 0, text } as const
    session.append('assistant/chunk', { turn: 1, step: 1, chunk })
  }
}

/** A completed turn of three events. */
export function turn(session: Session, number = 1): void {
  const source = { kind: 'user' } as const
  session.append('turn/start', { turn: number, trigger: { kind: 'message', source } })
  session.append(
    'user/message',
    { content: [{ type: 'text', text: `hello ${number}` }], source },
    { surfaceOp: 'append' },
  )
  session.append('turn/end', { turn: number, reason: { kind: 'completed' } })
}
