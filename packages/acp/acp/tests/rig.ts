import { PassThrough, Readable, Writable } from 'node:stream'
import {
  client,
  type ClientConnection,
  type InitializeResponse,
  type NewSessionRequest,
  methods,
  ndJsonStream,
  type SessionNotification,
} from '@agentclientprotocol/sdk'
import { Context } from '@deepseek-ai/cordis'
import * as agent from 'dsh-agent'
import * as llm from 'dsh-llm'
import type { GenerateOptions, ModelStream, StreamChunk } from 'dsh-llm'
import * as session from 'dsh-session'
import * as tools from 'dsh-tools'
import type { Tool } from 'dsh-tools'
import * as acp from '../src/index.ts'
import type { AcpServing, Config } from '../src/index.ts'

export type Answer = (options: GenerateOptions) => ModelStream

export interface Rig {
  readonly ctx: Context
  readonly serving: AcpServing
  readonly client: ClientConnection
  readonly initialized: InitializeResponse
  readonly updates: SessionNotification[]
  /** Raw agent output. */
  readonly output: PassThrough
  /** Raw agent input. */
  readonly input: PassThrough
}

/** A served composition over a fake model, and the official client at the other end. */
export async function rig(
  answers: readonly Answer[] = [],
  options: { readonly config?: Config; readonly tools?: readonly Tool[] } = {},
): Promise<Rig> {
  const ctx = new Context()
  let calls = 0
  await ctx.plugin(llm)
  await ctx.plugin(session)
  await ctx.plugin(tools)
  await ctx.plugin(agent, {})
  await ctx.plugin(acp, options.config ?? {})
  ctx.on('llm/stream', (request) => {
    const answer = answers[calls++]
    if (answer === undefined) throw new Error('the fake model has no answer')
    return answer(request)
  })
  for (const tool of options.tools ?? []) ctx.tools.register(tool)
  const input = new PassThrough()
  const output = new PassThrough()
  const serving = ctx.acp.serve({ input, output })
  const updates: SessionNotification[] = []
  const connection = client({ name: 'test' })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params))
    .connect(
      ndJsonStream(Writable.toWeb(input), Readable.toWeb(output) as ReadableStream<Uint8Array>),
    )
  const initialized = await connection.agent.request('initialize', { protocolVersion: 1 })
  return { ctx, serving, client: connection, initialized, updates, input, output }
}

export const answer = (...chunks: readonly StreamChunk[]): Answer =>
  async function* () {
    yield* chunks
  }

export const text = (value: string): Answer =>
  answer(
    { type: 'text-delta', index: 0, text: value },
    { type: 'finish', reason: { kind: 'stop' } },
  )

/** Says "partial", then waits for the abort. */
export const hang: Answer = async function* ({ signal }) {
  yield { type: 'text-delta', index: 0, text: 'partial' }
  await new Promise<void>((_resolve, reject) => {
    const fail = (): void => reject(new Error('aborted'))
    if (signal?.aborted === true) fail()
    else signal?.addEventListener('abort', fail)
  })
}

export const PLACE: NewSessionRequest = { cwd: '/w', mcpServers: [] }
export const say = (value: string): [{ type: 'text'; text: string }] => [
  { type: 'text', text: value },
]
