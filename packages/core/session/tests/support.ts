import { Context } from '@deepseek-ai/cordis'
import { brandString, type IdSource } from 'dsh-brand'
import * as plugin from '../src/index.ts'
import type { SessionEvent, SessionId } from '../src/index.ts'

export const id = (text: string): SessionId => brandString<'SessionId'>(text)

function counter(): IdSource {
  let next = 0
  return { uuid: () => `id-${next++}` }
}

/** A clock that a test sets. */
export const time = { now: 1000 }

export async function mount(ids: IdSource = counter()): Promise<Context> {
  const ctx = new Context()
  const clock = { now: () => time.now, monotonic: () => 0, after: () => () => undefined }
  await ctx.plugin(plugin, { clock, ids })
  await ready(ctx)
  return ctx
}

export function ready(ctx: Context): Promise<void> {
  return new Promise((resolve) => {
    ctx.inject(['sessions'], () => resolve())
  })
}

export function event(seq: number, type: string, data: unknown, extras: object = {}): SessionEvent {
  return { type, seq, time: 0, data, ...extras }
}

/** The error that a call throws; the test fails when it throws none. */
export function errorOf(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  throw new Error('expected an error, but there was none')
}
