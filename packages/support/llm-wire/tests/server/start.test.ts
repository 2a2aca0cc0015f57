import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { DEFAULT_SESSION_HEADER, startWireModel } from '../../src/index.ts'
import { ask, post, refusal, start, user } from '../client.ts'
import { ManualClock } from '../clock.ts'

describe('recording', () => {
  test('keeps each request with its body, masked headers and what became of it', async () => {
    const model = await start([{ when: { lineage: '0' }, answer: {} }])
    await ask(model, [user('a')], {
      headers: { authorization: 'Bearer sk-secret', [DEFAULT_SESSION_HEADER]: '0' },
    })
    await refusal(model, [user('b')])
    expect(model.requests).toMatchObject([
      {
        number: 1,
        method: 'POST',
        path: '/chat/completions',
        headers: {
          authorization: 'Bearer ***',
          'content-type': 'application/json',
          'x-dsh-lineage': '0',
        },
        body: { model: 'deepseek-chat', messages: [{ role: 'user', content: 'a' }], stream: true },
        facets: { firstUser: 'a', lineage: '0', step: 1 },
        result: { kind: 'served', rule: 0, outcome: 'completed' },
      },
      { number: 2, facets: { firstUser: 'b' }, result: { kind: 'refused', code: 'unscripted' } },
    ])
    expect(JSON.stringify(model.requests)).not.toContain('sk-secret')
    expect(model.requests[1]?.facets).not.toHaveProperty('lineage')
  })

  test('names the script as it is told', async () => {
    const model = await start([], { source: 'here/wire.json' })
    expect((await refusal(model, [user('x')])).message).toContain('no rule of here/wire.json')
    await expect(
      startWireModel({ script: { rules: [{ when: {}, answer: { text: 1 } }] } as never }),
    ).rejects.toThrow('wire script is not a wire script:\n  rules[0].answer.text')
  })
})

describe('what is no request for an answer', () => {
  const send = async (path: string, init: RequestInit, options = {}) => {
    const model = await start([], options)
    const response = await fetch(`${model.url}${path}`, init)
    const { error } = (await response.json()) as { error: Record<string, unknown> }
    return { status: response.status, error, model }
  }

  test('is refused by path and by method', async () => {
    const { status, error, model } = await send('/models?key=sk', { method: 'POST', body: '{}' })
    expect(status).toBe(404)
    expect(error).toEqual({
      message: 'llm-wire: request #1: POST /models is not served, only POST /chat/completions',
      type: 'wire_refused',
      param: null,
      code: 'not_found',
    })
    expect(model.requests).toMatchObject([{ path: '/models', method: 'POST' }])
    expect(JSON.stringify(model.requests)).not.toContain('sk')
    const get = await send('/chat/completions', {})
    expect([get.status, get.error.message]).toEqual([
      404,
      'llm-wire: request #1: GET /chat/completions is not served, only POST /chat/completions',
    ])
    expect(get.model.report()).toMatchObject({ ok: false, refused: [{ code: 'not_found' }] })
  })

  test('is refused where it is not JSON, or not a request', async () => {
    const post = (body: string) => send('/chat/completions', { method: 'POST', body })
    const text = await post('{')
    expect(text).toMatchObject({ status: 400, error: { code: 'bad_request' } })
    expect(text.error.message).toContain('llm-wire: request #1: its body is not JSON: ')
    expect(text.model.requests[0]).not.toHaveProperty('body')
    const json = await post('{"model":"m","messages":[]}')
    expect(json).toMatchObject({ status: 400, error: { code: 'bad_request' } })
    expect(json.error.message).toContain('messages: Too small')
    expect(json.model.requests).toMatchObject([{ body: { model: 'm', messages: [] } }])
    expect(json.model.requests[0]).not.toHaveProperty('facets')
  })

  test('is refused over the limit of its size, once it is sent', async () => {
    const body = 'x'.repeat(2_000_000)
    const { status, error, model } = await send(
      '/chat/completions',
      { method: 'POST', body },
      { limits: { maxBodyBytes: 1_999_999 } },
    )
    expect([status, error.message]).toEqual([
      413,
      'llm-wire: request #1: its body is over 1999999 bytes',
    ])
    expect(model.report().refused).toMatchObject([{ code: 'too_large' }])
  })

  test('is recorded where the client leaves before it is sent', async () => {
    const model = await start([])
    const half = httpRequest(`${model.url}/chat/completions`, {
      method: 'POST',
      headers: { 'content-length': 100 },
    })
    half.on('error', () => undefined)
    await new Promise<void>((resolve) => half.write('{"half', () => resolve()))
    half.destroy()
    await expect.poll(() => model.report().refused).toMatchObject([{ code: 'incomplete' }])
  })

  test('is refused over the limit of requests, without being kept', async () => {
    const model = await start([{ when: {}, answer: {} }], { limits: { maxRequests: 1 } })
    await ask(model, [user('x')])
    expect(await refusal(model, [user('y')])).toEqual({
      status: 500,
      code: 'limit',
      message:
        'llm-wire: more than 1 requests: the server keeps no more (maxRequests); does the agent loop?',
    })
    expect(model.requests).toHaveLength(1)
    expect(model.report()).toMatchObject({ ok: false, refused: [{ code: 'limit' }] })
  })
})

describe('case R4: servers', () => {
  test('are apart: own port, own script, own report', async () => {
    const [a, b] = [
      await start([{ when: {}, answer: { text: 'A' } }]),
      await start([{ when: {}, answer: { text: 'B' } }]),
    ]
    expect(a.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/u)
    expect(a.url).not.toBe(b.url)
    expect(await ask(b, [user('x')])).toMatchObject({ text: 'B' })
    expect([a.report().ok, b.report().ok]).toEqual([false, true])
    expect(a.requests).toEqual([])
  })

  test('answer many at once, each its own', async () => {
    const numbers = Array.from({ length: 40 }, (_, index) => String(index))
    const model = await start(
      numbers.map((text) => ({ when: { lastUser: text }, answer: { text: `${text}!`, cut: 1 } })),
    )
    const answers = await Promise.all(numbers.map((text) => ask(model, [user(text)])))
    expect(answers.map(({ text }) => text)).toEqual(numbers.map((text) => `${text}!`))
    expect((await model.close()).ok).toBe(true)
  })
})

describe('closing', () => {
  test('breaks what is open, reports it, and can be repeated', async () => {
    const model = await start([
      { when: {}, answer: { fault: { kind: 'hold', after: 0, name: 'h' } } },
    ])
    const response = await post(model, [user('x')])
    const ending = expect(response.text()).rejects.toThrow('terminated')
    await model.reached('h')
    const never = model.close()
    expect(model.close()).toBe(never)
    expect(await never).toMatchObject({ ok: true, served: [{ outcome: 'closed' }] })
    await ending
    await expect(fetch(model.url)).rejects.toThrow('fetch failed')
    await expect(model.reached('h')).resolves.toBeUndefined()
  })

  test('breaks idle connections, and leaves no timer', async () => {
    const clock = new ManualClock()
    const model = await start([], { clock })
    const socket = connect(Number(new URL(model.url).port), '127.0.0.1')
    await new Promise<void>((resolve) => socket.once('connect', resolve))
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    socket.resume()
    await model.close()
    await closed
    expect(clock.pending).toBe(0)
  })

  test('waits for its answers no longer than two seconds', async () => {
    const clock = new ManualClock()
    const model = await start([], { clock })
    const closing = model.close()
    expect(clock.next).toBe(2000)
    clock.advance(2000)
    expect(await closing).toMatchObject({ ok: true })
  })

  test('ends the waits for pauses that were not reached', async () => {
    const model = await start([{ when: {}, answer: { fault: { kind: 'hang', after: 0 } } }])
    const waiting = expect(model.reached('rule 0')).rejects.toMatchObject({ code: 'CLOSED' })
    await model.close()
    await waiting
  })
})
