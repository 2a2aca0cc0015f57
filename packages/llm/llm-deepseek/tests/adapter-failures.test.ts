import type { StreamChunk } from 'dsh-llm'
import { describe, expect, test } from 'vitest'
import { collect, failureOf, gate, hello, KEY, request, setUp, watched } from './support/harness.ts'
import { delta, events, open, status } from './support/server.ts'

describe('the provider refuses', () => {
  const say = (message: string) => JSON.stringify({ error: { message } })

  test('case R11: status and Retry-After are kept, with what the provider says', async () => {
    const { adapter } = await setUp([status(429, say('slow down'), { 'Retry-After': '3' })])
    expect(await failureOf(adapter.stream(request))).toEqual({
      code: 'RATE_LIMIT',
      status: 429,
      retryAfterMs: 3000,
      message: 'the provider answered HTTP 429: slow down',
    })
  })

  test('case R14: a Retry-After date counts from the date of the answer', async () => {
    const at = (ms: number) => new Date(1_800_000_000_000 + ms).toUTCString()
    const headers = { 'Retry-After': at(60_000), Date: at(0) }
    const { adapter } = await setUp([status(503, '', headers)])
    expect(await failureOf(adapter.stream(request))).toEqual({
      code: 'SERVER',
      status: 503,
      retryAfterMs: 60_000,
      message: 'the provider answered HTTP 503',
    })
  })

  test('a key that the provider repeats is taken out', async () => {
    const { adapter } = await setUp([status(401, say(`wrong key ${KEY}`))])
    expect(await failureOf(adapter.stream(request))).toMatchObject({
      code: 'AUTH',
      message:
        'the provider answered HTTP 401: wrong key ***; check the API key ($DEEPSEEK_API_KEY)',
    })
  })

  test('redirects are not followed: the key stays with the endpoint', async () => {
    const { adapter, server } = await setUp([status(307, '', { location: '/elsewhere' })])
    expect(await failureOf(adapter.stream(request))).toMatchObject({
      code: 'HTTP_307',
      status: 307,
    })
    expect(server.received).toHaveLength(1)
  })

  test('a body without end is not awaited, and its connection is closed', async () => {
    const { adapter, server, clock } = await setUp([
      (response) => {
        response.writeHead(500, {})
        response.write(`oh ${'no'.repeat(64 * 1024)}`)
      },
    ])
    const { message } = await failureOf(adapter.stream(request))
    expect(message).toMatch(/^the provider answered HTTP 500: oh (no)+n?…$/)
    await server.closed[0]
    expect(clock.pending).toEqual([])
  })

  test('a body that stalls is used as far as it came', async () => {
    const arrived = gate()
    const { adapter, clock } = await setUp(
      [
        (response) => {
          response.writeHead(500, {})
          response.write('half')
        },
      ],
      {},
      { fetch: watched(arrived.open, 2) },
    )
    const failure = failureOf(adapter.stream(request))
    await arrived.opened
    clock.fire(2000)
    expect(await failure).toEqual({
      code: 'SERVER',
      status: 500,
      message: 'the provider answered HTTP 500: half',
    })
  })

  test('an abort while the body is read is an abort', async () => {
    const arrived = gate()
    const controller = new AbortController()
    const { adapter } = await setUp(
      [
        (response) => {
          response.writeHead(500, {})
          response.write('half')
        },
      ],
      {},
      { fetch: watched(arrived.open, 2) },
    )
    const failure = failureOf(adapter.stream({ ...request, signal: controller.signal }))
    await arrived.opened
    controller.abort()
    expect(await failure).toEqual({ code: 'aborted', message: 'aborted' })
  })

  test('an answer without a body', async () => {
    const bodiless = await setUp([status(204, '')])
    expect(await failureOf(bodiless.adapter.stream(request))).toEqual({
      code: 'EMPTY_RESPONSE',
      status: 204,
      message: 'the provider answered HTTP 204 without a body',
    })
    const failed = await setUp(
      [],
      {},
      { fetch: () => Promise.resolve(new Response(null, { status: 502 })) },
    )
    expect(await failureOf(failed.adapter.stream(request))).toEqual({
      code: 'SERVER',
      status: 502,
      message: 'the provider answered HTTP 502',
    })
  })

  test.each([
    ['{"error":{"message":"no such route"}}', ': no such route'],
    ['<html></html>', ''],
  ])('an answer that is no event stream: %s', async (body, own) => {
    const type = `application/json; x=${KEY}`
    const { adapter } = await setUp([status(200, body, { 'content-type': type })])
    expect(await failureOf(adapter.stream(request))).toEqual({
      code: 'MALFORMED_RESPONSE',
      status: 200,
      message: `the provider answered with application/json; x=*** where an event stream was expected${own}`,
    })
  })
})

describe('a stream goes wrong', () => {
  test('case R12: a stream that ends before [DONE] is an error, after what came', async () => {
    const { adapter, clock } = await setUp([events(...hello)])
    const seen: StreamChunk[] = []
    const reading = async () => {
      for await (const chunk of adapter.stream(request)) seen.push(chunk)
    }
    await expect(reading()).rejects.toMatchObject({
      code: 'STREAM_CLOSED',
      message: 'the provider closed the stream before [DONE]',
    })
    expect(seen).toHaveLength(3)
    expect(clock.pending).toEqual([])
  })

  test('a stream without an event is empty', async () => {
    const { adapter } = await setUp([events()])
    expect(await failureOf(adapter.stream(request))).toEqual({
      code: 'EMPTY_RESPONSE',
      message: 'the provider closed the stream without sending anything',
    })
  })

  test('a connection that breaks', async () => {
    const { adapter } = await setUp([
      (response, received) => {
        open(hello[0])(response, received)
        response.write('data: x', () => response.destroy())
      },
    ])
    const { code, message } = await failureOf(adapter.stream(request))
    expect(code).toBe('STREAM_CLOSED')
    expect(message).toMatch(/^the connection to the provider broke \(\w+\)$/)
  })

  test('a provider that cannot be reached', async () => {
    const { adapter, server } = await setUp([])
    await server.stop()
    expect(await failureOf(adapter.stream(request))).toEqual({
      code: 'STREAM_CLOSED',
      message:
        'could not reach the provider (ECONNREFUSED); check the network and baseUrl ($DEEPSEEK_BASE_URL)',
    })
  })

  test('an event that is not JSON', async () => {
    const { adapter, server } = await setUp([open(hello[0], `{"cut ${KEY}`)])
    expect(await failureOf(adapter.stream(request))).toEqual({
      code: 'MALFORMED_RESPONSE',
      message: 'the provider sent an event that is not JSON: {"cut ***',
    })
    await server.closed[0]
  })

  test('an event over the limit', async () => {
    const { adapter, server } = await setUp(
      [open('x'.repeat(101))],
      {},
      { limits: { event: 100, response: 1000 } },
    )
    expect(await failureOf(adapter.stream(request))).toMatchObject({ code: 'MALFORMED_RESPONSE' })
    await server.closed[0]
  })

  test('a finish reason that quotes the key', async () => {
    const { adapter } = await setUp([events(delta({ content: 'a' }, KEY), '[DONE]')])
    expect((await collect(adapter.stream(request))).at(-1)).toMatchObject({
      reason: { message: 'the provider ended the answer with finish_reason "***"' },
    })
  })
})
