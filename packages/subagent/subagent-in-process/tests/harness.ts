import { Context } from '@deepseek-ai/cordis'
import * as agent from 'dsh-agent'
import type { Agent, TurnResult } from 'dsh-agent'
import * as llm from 'dsh-llm'
import type { GenerateOptions, ModelStream, StreamChunk } from 'dsh-llm'
import * as session from 'dsh-session'
import type { Session, SessionEvent } from 'dsh-session'
import * as subagent from 'dsh-subagent'
import * as tools from 'dsh-tools'
import type { Tool } from 'dsh-tools'
import * as inProcess from '../src/index.ts'

export type Answer = readonly StreamChunk[] | ((options: GenerateOptions) => ModelStream)

export interface Rig {
  readonly ctx: Context
  readonly root: Agent
  readonly requests: GenerateOptions[]
  /** Every session, in order of creation, disposed ones included. */
  readonly sessions: Session[]
  /** What happened to sessions: `flush 1`, `disposed 1`, by their ordinal in `sessions`. */
  readonly happened: string[]
  /** Has the root work on a prompt. */
  ask(prompt: string): Promise<TurnResult>
}

/**
 * Agents over a model that has a list of answers for every prompt: a session is given those of the
 * prompt that it works on, in order, and its call fails when none is left.
 */
export async function rig(
  answers: Readonly<Record<string, readonly Answer[]>>,
  options: {
    readonly maxDepth?: number
    readonly model?: string
    readonly tools?: readonly Tool[]
  } = {},
): Promise<Rig> {
  const ctx = new Context()
  await ctx.plugin(llm)
  await ctx.plugin(session)
  await ctx.plugin(tools)
  await ctx.plugin(agent, { model: 'configured' })
  await ctx.plugin(subagent, options.maxDepth === undefined ? {} : { maxDepth: options.maxDepth })
  await ctx.plugin(inProcess, undefined)
  for (const tool of options.tools ?? []) ctx.tools.register(tool)

  const requests: GenerateOptions[] = []
  const served = new Map<string, number>()
  ctx.on('llm/stream', (request) => {
    requests.push(request)
    const caller = ctx.sessions.get(request.sessionId as session.SessionId) as Session
    const prompt = promptOf(caller)
    const position = served.get(prompt) ?? 0
    served.set(prompt, position + 1)
    const answer = answers[prompt]?.[position]
    if (answer === undefined) throw new Error(`the fake model has no answer ${position}: ${prompt}`)
    return typeof answer === 'function' ? answer(request) : stream(answer)
  })

  const sessions: Session[] = []
  const happened: string[] = []
  const note = (what: string, of: Session): void => {
    happened.push(`${what} ${sessions.indexOf(of)}`)
  }
  ctx.on('session/created', (made) => void sessions.push(made))
  ctx.on('session/flush', async (flushed) => note('flush', flushed))
  ctx.on('session/disposed', (disposed) => note('disposed', disposed))
  const root = ctx.agents.create({
    session: ctx.sessions.create({ cwd: '/w', root: 0 }),
    ...(options.model !== undefined && { model: options.model }),
  })
  const ask = (prompt: string): Promise<TurnResult> =>
    root.prompt({ content: [{ type: 'text', text: prompt }] })
  return { ctx, root, requests, sessions, happened, ask }
}

/** The prompt that a session works on. */
function promptOf({ events }: Session): string {
  const message = events.findLast(({ type }) => type === 'user/message') as SessionEvent
  const { content } = message.data as session.CoreEvents['user/message']
  return (content[0] as llm.TextBlock).text
}

async function* stream(chunks: readonly StreamChunk[]): AsyncGenerator<StreamChunk> {
  yield* chunks
}

export function text(...values: readonly string[]): StreamChunk[] {
  return [
    ...values.map((value, index): StreamChunk => ({ type: 'text-delta', index, text: value })),
    { type: 'finish', reason: { kind: 'stop' } },
  ]
}

/** One call of `subagent` or `subagent_fork` per prompt. */
export function delegate(tool: string, ...prompts: readonly string[]): StreamChunk[] {
  return call(
    ...prompts.map((prompt) => ({ tool, args: { description: `delegate ${prompt}`, prompt } })),
  )
}

export function call(...calls: readonly { tool: string; args: object }[]): StreamChunk[] {
  return [
    ...calls.map(
      ({ tool, args }, index): StreamChunk => ({
        type: 'block-end',
        index,
        block: {
          type: 'tool-call',
          id: `call_${index}`,
          name: tool,
          arguments: JSON.stringify(args),
        },
      }),
    ),
    { type: 'finish', reason: { kind: 'tool-calls' } },
  ]
}

/** Says something, tells that it did, and hangs until it is aborted. */
export function hanging(said: () => void): Answer {
  return async function* ({ signal }) {
    const aborted = new Promise((resolve) => signal?.addEventListener('abort', resolve))
    yield { type: 'text-delta', index: 0, text: 'partial' }
    said()
    await aborted
    throw new Error('aborted')
  }
}

export function events(of: Session | undefined, type: string): SessionEvent[] {
  return (of?.events ?? []).filter((event) => event.type === type)
}

export function data(of: Session | undefined, type: string): unknown[] {
  return events(of, type).map((event) => event.data)
}

/** The texts of a session's tool results. */
export function results(of: Session | undefined): string[] {
  return data(of, 'tool/result').map(
    (result) => ((result as session.CoreEvents['tool/result']).content[0] as llm.TextBlock).text,
  )
}

/** A promise and its resolver. */
export function gate(): { readonly passed: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open: () => open() }
}
