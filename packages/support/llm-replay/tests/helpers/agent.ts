import { Context } from '@deepseek-ai/cordis'
import { type GenerateOptions, LlmService, type ModelStream, type StreamChunk } from 'dsh-llm'
import type { Session, SessionEvent, SessionHeader } from 'dsh-session'
import { header, sid } from './log.ts'

/** A context with `ctx.llm`, and `ctx.sessions` over the given sessions. */
export async function testContext(
  sessions?: readonly Session[],
  tools: readonly string[] = [],
): Promise<Context> {
  const ctx = new Context()
  await ctx.plugin(LlmService)
  if (sessions !== undefined) {
    ctx.provide('sessions', {
      get: (id: string) => sessions.find((session) => session.id === id),
    } as never)
  }
  if (tools.length > 0) {
    ctx.provide('tools', { schemas: () => tools.map((name) => ({ name })) } as never)
  }
  return ctx
}

/** As much of a live session as replay looks at. */
export function liveSession(
  id: string,
  events: SessionEvent[] = [],
  fields: Partial<SessionHeader> & { cwd?: string } = {},
): Session {
  const head = header({ id: sid(id), cwd: '/live/cwd', ...fields })
  return { id: head.id, header: head, cwd: head.cwd, events } as unknown as Session
}

export function call(
  ctx: Context,
  session?: string,
  more: Partial<GenerateOptions> = {},
): ModelStream {
  return ctx.llm.stream({
    model: 'm',
    messages: [],
    ...(session === undefined ? {} : { sessionId: sid(session) }),
    ...more,
  })
}

export async function collect(stream: ModelStream): Promise<StreamChunk[]> {
  const chunks: StreamChunk[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}

/** What a promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise
  } catch (error) {
    return error as Error
  }
  throw new Error('did not reject')
}
