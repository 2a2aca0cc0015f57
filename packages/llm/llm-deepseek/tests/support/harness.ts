import { once } from 'node:events'
import type { GenerateOptions, ModelStream, StreamChunk } from 'dsh-llm'
import { expect, onTestFinished } from 'vitest'
import {
  type AdapterDeps,
  type Config,
  createDeepSeekAdapter,
  resolveSettings,
} from '../../src/index.ts'
import { ManualClock } from './clock.ts'
import { type Answer, delta, TestServer } from './server.ts'

export const KEY = 'sk-secret-key'
const waits = { connectTimeoutMs: 1000, idleTimeoutMs: 2000, totalTimeoutMs: 3000 }
export const request: GenerateOptions = {
  model: 'm-1',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
}
/** An answer of one text block, as five chunks. */
export const hello: object[] = [
  delta({ content: 'Hel' }),
  delta({ content: 'lo' }),
  delta({}, 'stop'),
]

/** An adapter with a clock of its own, in front of a server that answers so. */
export async function setUp(
  answers: Answer[],
  config: Config = {},
  deps: Partial<AdapterDeps> = {},
) {
  const server = await TestServer.start(...answers)
  onTestFinished(() => server.stop())
  const clock = new ManualClock()
  const settings = resolveSettings({ apiKey: KEY, baseUrl: server.url, ...waits, ...config }, {})
  const adapter = createDeepSeekAdapter(settings, {
    clock,
    fetch,
    lineageOf: () => undefined,
    ...deps,
  })
  return { adapter, clock, server }
}

export async function collect(stream: ModelStream): Promise<StreamChunk[]> {
  const chunks: StreamChunk[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}

export function iterate(stream: ModelStream): AsyncIterator<StreamChunk> {
  return stream[Symbol.asyncIterator]()
}

/** What a stream fails with. The key must be nowhere in it. */
export async function failureOf(stream: ModelStream): Promise<Record<string, unknown>> {
  try {
    await collect(stream)
  } catch (error) {
    const { code, message, status, retryAfterMs, cause } = error as Record<string, unknown>
    expect(`${String(message)}${(error as Error).stack}`).not.toContain(KEY)
    expect(cause).toBeUndefined()
    return {
      code,
      message,
      ...(status !== undefined && { status }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    }
  }
  throw new Error('the stream did not fail')
}

export function gate(): { opened: Promise<unknown>; open: () => void } {
  const target = new EventTarget()
  return {
    opened: once(target, 'open'),
    open: () => void target.dispatchEvent(new Event('open')),
  }
}

/** The real fetch, but says when the body of an answer is read for the nth time. */
export function watched(onRead: () => void, nth: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const reader = response.body!.getReader()
    let reads = 0
    const read = () => {
      reads += 1
      const result = reader.read()
      if (reads === nth) onRead()
      return result
    }
    const body = { getReader: () => ({ read }) }
    const { ok, status, headers } = response
    return { ok, status, headers, body } as unknown as Response
  }
}
