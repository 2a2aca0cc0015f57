import { Context } from '@deepseek-ai/cordis'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as llm from '../src/index.ts'
import type { GenerateOptions, LlmAdapter, ModelStream, StreamChunk } from '../src/index.ts'

const options: GenerateOptions = { model: 'm-1', messages: [] }

function streamOf(...chunks: StreamChunk[]): ModelStream {
  return (async function* () {
    yield* chunks
  })()
}
function adapter(name: string, serves: (model: string) => boolean = () => true) {
  const made: ModelStream[] = []
  const seen: GenerateOptions[] = []
  const self: LlmAdapter = {
    name,
    serves,
    stream(given) {
      seen.push(given)
      const stream = streamOf({ type: 'text-delta', index: 0, text: name })
      made.push(stream)
      return stream
    },
  }
  return { self, made, seen }
}
async function collect(stream: ModelStream): Promise<StreamChunk[]> {
  const chunks: StreamChunk[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}

let root: Context
beforeEach(async () => {
  root = new Context()
  await root.plugin(llm)
})
afterEach(async () => {
  await root.fiber.dispose()
})

describe('the plugin', () => {
  test('has the shape of a plugin: named exports, no default', () => {
    expect(llm.name).toBe('llm')
    expect('default' in llm).toBe(false)
  })

  test('mounts ctx.llm and takes it away again', async () => {
    const other = new Context()
    const fiber = await other.plugin(llm)
    expect(other.get('llm')).toBeInstanceOf(llm.LlmService)
    await fiber.dispose()
    expect(other.get('llm')).toBeUndefined()
  })
})

describe('register', () => {
  test('the first adapter that serves the model answers, with the request as it was given', () => {
    const none = adapter('none', () => false)
    const first = adapter('first', (model) => model === 'm-1')
    const second = adapter('second')
    for (const { self } of [none, first, second]) root.llm.register(self)

    expect(root.llm.stream(options)).toBe(first.made[0])
    expect(first.seen[0]).toBe(options)
    expect(root.llm.stream({ ...options, model: 'm-2' })).toBe(second.made[0])
    expect(none.made).toEqual([])
  })

  test('a second adapter of one name is refused and the first stays', () => {
    const first = adapter('same')
    root.llm.register(first.self)
    expect(() => root.llm.register(adapter('same').self)).toThrow(
      expect.objectContaining({
        code: 'DUPLICATE_ADAPTER',
        message: 'an adapter named "same" is already registered; disable one of the two rows',
      }),
    )
    expect(root.llm.stream(options)).toBe(first.made[0])
  })

  test('the disposer removes it, returns nothing and may be called twice', async () => {
    const dispose: () => unknown = root.llm.register(adapter('a').self)
    expect(dispose()).toBeUndefined()
    const again = adapter('a')
    root.llm.register(again.self)
    expect(dispose()).toBeUndefined()
    expect(root.llm.stream(options)).toBe(again.made[0])
  })

  test('an adapter leaves with the plugin that registered it', async () => {
    const mine = adapter('mine')
    const fiber = await root.plugin({
      inject: ['llm'],
      apply: (ctx: Context) => void ctx.llm.register(mine.self),
    })
    expect(root.llm.stream(options)).toBe(mine.made[0])
    await fiber.dispose()
    await expect(collect(root.llm.stream(options))).rejects.toMatchObject({ code: 'NO_ADAPTER' })
  })
})

describe('stream', () => {
  test('without an adapter fails on iteration, naming the model and what is there', async () => {
    await expect(collect(root.llm.stream(options))).rejects.toMatchObject({
      name: 'LlmError',
      code: 'NO_ADAPTER',
      message:
        'no adapter serves the model "m-1" (registered: none); enable an adapter for it or change the model',
    })
    root.llm.register(adapter('a', () => false).self)
    root.llm.register(adapter('b', () => false).self)
    await expect(collect(root.llm.stream(options))).rejects.toThrow('(registered: a, b)')
  })

  test('next() never throws inside a listener, not even without an adapter', async () => {
    let inner: ModelStream | undefined
    root.on('llm/stream', (_, next) => {
      inner = next()
      return inner
    })
    const outer = root.llm.stream(options)
    expect(outer).toBe(inner)
    await expect(collect(outer)).rejects.toMatchObject({ code: 'NO_ADAPTER' })
  })

  test("returns the listener's very stream: no layer of its own, no request of an adapter", () => {
    const unused = adapter('unused')
    root.llm.register(unused.self)
    const answer = streamOf()
    root.on('llm/stream', () => answer)
    expect(root.llm.stream(options)).toBe(answer)
    expect(unused.seen).toEqual([])
  })

  test('a listener sees the request and may wrap what next() gives', async () => {
    root.llm.register(adapter('a').self)
    const seen: GenerateOptions[] = []
    root.on('llm/stream', (given, next) => {
      seen.push(given)
      const inner = next()
      return (async function* () {
        yield* inner
        yield { type: 'finish', reason: { kind: 'stop' } } as const
      })()
    })
    expect(await collect(root.llm.stream(options))).toEqual([
      { type: 'text-delta', index: 0, text: 'a' },
      { type: 'finish', reason: { kind: 'stop' } },
    ])
    expect(seen).toEqual([options])
    expect(seen[0]).toBe(options)
  })

  test('what a listener throws surfaces on iteration, unchanged', async () => {
    const error = new Error('listener broke')
    root.on('llm/stream', () => {
      throw error
    })
    await expect(collect(root.llm.stream(options))).rejects.toBe(error)
  })

  test.each([
    ['undefined', () => undefined],
    ['string', () => 'text'],
    ['object', () => ({})],
    ['a promise', () => Promise.resolve()],
    ['a promise', () => Promise.reject(new Error('dropped'))],
  ])('a listener that returns %s is reported, not iterated', async (came, listener) => {
    root.on('llm/stream', listener as never)
    await expect(collect(root.llm.stream(options))).rejects.toMatchObject({
      code: 'INVALID_STREAM',
      message: `a listener of llm/stream returned ${came} where a stream was expected; return next() or an async iterable, synchronously`,
    })
  })
})
