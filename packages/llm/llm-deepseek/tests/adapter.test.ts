import { brandString } from 'dsh-brand'
import { describe, expect, test, vi } from 'vitest'
import { collect, failureOf, hello, iterate, KEY, request, setUp } from './support/harness.ts'
import { event, events, open, status } from './support/server.ts'

describe('an answer', () => {
  test('arrives as chunks, and the request as the wire wants it', async () => {
    const { adapter, clock, server } = await setUp([events(...hello, '[DONE]')])
    expect(await collect(adapter.stream({ ...request, maxTokens: 5 }))).toEqual([
      { type: 'block-start', index: 0, blockType: 'text' },
      { type: 'text-delta', index: 0, text: 'Hel' },
      { type: 'text-delta', index: 0, text: 'lo' },
      { type: 'block-end', index: 0, block: { type: 'text', text: 'Hello' } },
      { type: 'finish', reason: { kind: 'stop' } },
    ])
    expect(server.received).toMatchObject([
      {
        method: 'POST',
        path: '/chat/completions',
        headers: {
          authorization: `Bearer ${KEY}`,
          'content-type': 'application/json',
          accept: 'text/event-stream',
        },
      },
    ])
    expect(JSON.parse(server.received.at(0)?.body ?? '')).toEqual({
      model: 'm-1',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 5,
    })
    expect(clock.pending).toEqual([])
  })

  test('comes chunk by chunk, not when all is there', async () => {
    const { adapter } = await setUp([open(...hello)])
    const iterator = iterate(adapter.stream(request))
    expect((await iterator.next()).value).toMatchObject({ type: 'block-start' })
    expect((await iterator.next()).value).toMatchObject({ text: 'Hel' })
    expect((await iterator.next()).value).toMatchObject({ text: 'lo' })
    await iterator.return?.()
  })

  test('may end in [DONE] without an empty line, and without a content type', async () => {
    const { adapter } = await setUp([status(200, `${hello.map(event).join('')}data: [DONE]`)])
    expect((await collect(adapter.stream(request))).at(-1)).toMatchObject({ type: 'finish' })
  })

  test('is over at [DONE], even when the connection stays open', async () => {
    const { adapter, clock, server } = await setUp([open(...hello, '[DONE]')])
    expect((await collect(adapter.stream(request))).at(-1)).toMatchObject({ type: 'finish' })
    await server.closed[0]
    expect(clock.pending).toEqual([])
  })
})

test('nothing is sent before the stream is iterated', async () => {
  const { adapter, clock, server } = await setUp([])
  adapter.stream(request)
  expect(clock.pending).toEqual([])
  expect(server.closed).toEqual([])
})

test('the models that it serves', async () => {
  const all = await setUp([])
  expect(all.adapter.name).toBe('deepseek')
  expect(all.adapter.serves('anything')).toBe(true)
  const some = await setUp([], { models: ['m-1', 'm-2'] })
  expect(['m-1', 'm-2', 'm-3'].map((model) => some.adapter.serves(model))).toEqual([
    true,
    true,
    false,
  ])
})

test('sessionHeader carries the lineage of the calling session', async () => {
  const lineageOf = vi.fn(() => '0/1.1.0.0')
  const { adapter, server } = await setUp(
    [events(...hello, '[DONE]')],
    { sessionHeader: 'X-Lineage' },
    { lineageOf },
  )
  await collect(adapter.stream({ ...request, sessionId: brandString<'SessionId'>('s') }))
  expect(server.received[0]?.headers['x-lineage']).toBe('0/1.1.0.0')
  expect(lineageOf).toHaveBeenCalledExactlyOnceWith('s')
})

describe('refused before anything is sent', () => {
  test('case R6: without a key, a call fails with AUTH', async () => {
    const { adapter, clock, server } = await setUp([], { apiKey: '' })
    expect(await failureOf(adapter.stream(request))).toMatchObject({ code: 'AUTH' })
    expect(server.closed).toEqual([])
    expect(clock.pending).toEqual([])
  })

  test('a message that cannot be sent', async () => {
    const { adapter, server } = await setUp([])
    const content = [{ type: 'reasoning', text: 'r' }] as const
    const stream = adapter.stream({ ...request, messages: [{ role: 'user', content }] })
    expect(await failureOf(stream)).toMatchObject({ code: 'INVALID_REQUEST' })
    expect(server.closed).toEqual([])
  })
})
