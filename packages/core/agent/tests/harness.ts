import { Context } from '@deepseek-ai/cordis'
import { type Clock, type RandomSource, systemRandom } from 'dsh-brand'
import * as llm from 'dsh-llm'
import type { GenerateOptions, ModelStream, StreamChunk } from 'dsh-llm'
import * as session from 'dsh-session'
import type { Session, SessionEvent } from 'dsh-session'
import * as tools from 'dsh-tools'
import type { Tool } from 'dsh-tools'
import * as agent from '../src/index.ts'
import type { Agent, Config } from '../src/index.ts'

export type Answer = readonly StreamChunk[] | ((options: GenerateOptions) => ModelStream)

export interface Rig {
  readonly ctx: Context
  readonly session: Session
  readonly agent: Agent
  /** Every request that reached the model. */
  readonly requests: GenerateOptions[]
  /** Sessions that were flushed, in order. */
  readonly flushed: Session[]
  types(): string[]
  data(type: string): unknown[]
  events(type: string): SessionEvent[]
}

/** An agent over a model that gives these answers in order and fails when it has none left. */
export async function rig(
  answers: readonly Answer[],
  options: {
    readonly config?: Config
    readonly tools?: readonly Tool[]
    readonly seed?: readonly SessionEvent[]
    readonly model?: string
    readonly clock?: Clock
    readonly random?: RandomSource
  } = {},
): Promise<Rig> {
  const ctx = new Context()
  const requests: GenerateOptions[] = []
  const flushed: Session[] = []
  await ctx.plugin(llm)
  await ctx.plugin(session)
  await ctx.plugin(tools)
  const { clock, random = systemRandom } = options
  if (clock === undefined) await ctx.plugin(agent, options.config ?? {})
  else {
    await ctx.plugin({
      name: agent.name,
      inject: agent.inject,
      apply(inner: Context) {
        new agent.LoopAgentService(inner, options.config ?? {}, clock, random)
      },
    })
  }
  ctx.on('llm/stream', (request) => {
    const answer = answers[requests.length]
    requests.push(request)
    if (answer === undefined) throw new Error(`the fake model has no answer ${requests.length}`)
    return typeof answer === 'function' ? answer(request) : stream(answer)
  })
  ctx.on('session/flush', async (flushedSession) => {
    flushed.push(flushedSession)
  })
  for (const tool of options.tools ?? []) ctx.tools.register(tool)
  const made = ctx.sessions.create({
    cwd: '/w',
    ...(options.seed !== undefined && { seed: options.seed }),
  })
  const events = (type: string): SessionEvent[] =>
    made.events.filter((event) => event.type === type)
  return {
    ctx,
    session: made,
    agent: ctx.agents.create({
      session: made,
      ...(options.model !== undefined && { model: options.model }),
    }),
    requests,
    flushed,
    types: () => made.events.map((event) => event.type),
    data: (type) => events(type).map((event) => event.data),
    events,
  }
}

export async function* stream(chunks: readonly StreamChunk[]): AsyncGenerator<StreamChunk> {
  yield* chunks
}

export const USAGE = { inputTokens: 1, outputTokens: 2 } as const

export function text(value: string): StreamChunk[] {
  return [
    { type: 'text-delta', index: 0, text: value },
    { type: 'finish', reason: { kind: 'stop' } },
  ]
}

export function calls(...names: readonly string[]): StreamChunk[] {
  return [
    ...names.map(
      (name, index): StreamChunk => ({
        type: 'block-end',
        index,
        block: { type: 'tool-call', id: `call_${index}`, name, arguments: `{"n":${index}}` },
      }),
    ),
    { type: 'finish', reason: { kind: 'tool-calls' } },
  ]
}

export function tool(name: string, execute: Tool['execute'], parallel?: boolean): Tool {
  return {
    name,
    description: `does ${name}`,
    parameters: { type: 'object' },
    kind: 'other',
    ...(parallel !== undefined && { parallel }),
    execute,
  }
}

export const say = (value: string): { content: [{ type: 'text'; text: string }] } => ({
  content: [{ type: 'text', text: value }],
})

/** A promise and its resolver. */
export function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => undefined
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open: () => open() }
}
