import { onTestFinished } from 'vitest'
import {
  startWireModel,
  type WireModel,
  type WireModelOptions,
  type WireRule,
} from '../src/index.ts'

export type Message = Record<string, unknown>

export const user = (content: unknown): Message => ({ role: 'user', content })
export const assistant = (content: string): Message => ({ role: 'assistant', content })
export const calls = (...ids: string[]): Message => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({
    id,
    type: 'function',
    function: { name: 'bash', arguments: '{}' },
  })),
})
export const toolResult = (id: string, content: string): Message => ({
  role: 'tool',
  tool_call_id: id,
  content,
})

/** A model that is closed when the test ends. */
export async function start(
  rules: WireRule[],
  options: Omit<WireModelOptions, 'script'> & { defaults?: object } = {},
): Promise<WireModel> {
  const { defaults, ...rest } = options
  const model = await startWireModel({
    script: { rules, ...(defaults !== undefined && { defaults }) },
    ...rest,
  })
  onTestFinished(async () => void (await model.close()))
  return model
}

export interface Ask {
  readonly headers?: Record<string, string>
  readonly body?: Record<string, unknown>
  readonly signal?: AbortSignal
}

export function post(
  model: { url: string },
  messages: Message[],
  ask: Ask = {},
): Promise<Response> {
  return fetch(`${model.url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...ask.headers },
    body: JSON.stringify({
      model: 'deepseek-chat',
      messages,
      stream: true,
      stream_options: { include_usage: true },
      ...ask.body,
    }),
    ...(ask.signal && { signal: ask.signal }),
  })
}

interface Delta {
  role?: string
  content?: string | null
  reasoning_content?: string | null
  tool_calls?: {
    index: number
    id?: string
    type?: string
    function: { name?: string; arguments: string }
  }[]
}
interface Event {
  id: string
  object: string
  created: number
  model: string
  choices: { index: number; delta: Delta; logprobs: null; finish_reason: string | null }[]
  usage?: Record<string, unknown> | null
}

export interface Answer {
  readonly events: Event[]
  readonly reasoning: string
  readonly text: string
  readonly calls: { id: string; name: string; arguments: string }[]
  readonly finish: string | null
  readonly usage: Record<string, unknown> | null | undefined
  readonly done: boolean
}

export function dataOf(stream: string): string[] {
  return stream
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: '))
    .map((frame) => frame.slice('data: '.length))
}

/** Joins events, given as JSON texts, as a client does. */
export function join(data: readonly string[]): Answer {
  const events = data.filter((text) => text !== '[DONE]').map((text) => JSON.parse(text) as Event)
  let [reasoning, text] = ['', '']
  const joined: Answer['calls'] = []
  let finish: string | null = null
  for (const { choices } of events) {
    for (const { delta, finish_reason } of choices) {
      reasoning += delta.reasoning_content ?? ''
      text += delta.content ?? ''
      finish = finish_reason ?? finish
      for (const { index, id, function: fn } of delta.tool_calls ?? []) {
        if (id !== undefined) joined[index] = { id, name: String(fn.name), arguments: '' }
        const call = joined[index]
        if (call === undefined) throw new Error(`tool call ${index} has no opening`)
        call.arguments += fn.arguments
      }
    }
  }
  const usage = events.at(-1)?.usage
  return { events, reasoning, text, calls: joined, finish, usage, done: data.includes('[DONE]') }
}

export async function ask(
  model: { url: string },
  messages: Message[],
  options: Ask = {},
): Promise<Answer> {
  const response = await post(model, messages, options)
  if (!response.ok) throw new Error(`HTTP ${response.status}: ${await response.text()}`)
  return join(dataOf(await response.text()))
}

/** The status and the message of a refusal. */
export async function refusal(
  model: { url: string },
  messages: Message[],
  options: Ask = {},
): Promise<{ status: number; code: string; message: string }> {
  const response = await post(model, messages, options)
  const { error } = (await response.json()) as { error: { code: string; message: string } }
  return { status: response.status, code: error.code, message: error.message }
}

/** Reads a stream piece by piece. */
export function reader(response: Response): { until: (text: string) => Promise<string> } {
  const source = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let seen = ''
  return {
    async until(text) {
      while (!seen.includes(text)) {
        const { done, value } = await source.read()
        if (done) throw new Error(`the stream ended before ${text}: ${seen}`)
        seen += value
      }
      return seen
    },
  }
}
