import { describe, expect, test } from 'vitest'
import type { StreamFault } from '../../src/index.ts'
import { ask, dataOf, join, post, reader, start, user } from '../client.ts'
import { ManualClock } from '../clock.ts'

const served = async (model: { close: () => Promise<{ served: readonly unknown[] }> }) =>
  (await model.close()).served[0]

describe('a status', () => {
  test('case R11: comes through with its headers and its body', async () => {
    const model = await start(
      [
        {
          when: { attempt: 1 },
          answer: {
            status: 429,
            headers: { 'Retry-After': '7', 'x-request-id': 'r' },
            body: { error: { message: 'slow down' } },
          },
        },
        {
          when: { attempt: 2 },
          answer: { status: 401, headers: { 'Content-Type': 'text/plain' }, body: 'no {{cwd}}' },
        },
        { when: { attempt: 3 }, answer: { status: 204, body: 'unseen' } },
      ],
      { cwd: '/w' },
    )
    const limited = await post(model, [user('x')])
    expect(limited.status).toBe(429)
    expect(limited.headers.get('retry-after')).toBe('7')
    expect(limited.headers.get('x-request-id')).toBe('r')
    expect(limited.headers.get('content-type')).toBe('application/json')
    expect(limited.headers.get('content-length')).toBe('33')
    expect(await limited.json()).toEqual({ error: { message: 'slow down' } })
    const denied = await post(model, [user('x')])
    expect(denied.headers.get('content-type')).toBe('text/plain')
    expect([denied.status, await denied.text()]).toEqual([401, 'no /w'])
    const empty = await post(model, [user('x')])
    expect([empty.status, await empty.text()]).toEqual([204, ''])
    expect((await model.close()).served.map(({ outcome }) => outcome)).toEqual([
      'completed',
      'completed',
      'completed',
    ])
  })
})

describe('case R12: a stream', () => {
  const broken = async (after: number) => {
    const clock = new ManualClock()
    const fault: StreamFault = { kind: 'cut', after, lingerMs: 30 }
    const model = await start([{ when: {}, answer: { text: 'abcd', cut: 1, fault } }], { clock })
    const response = await post(model, [user('x')])
    const body = reader(response)
    const seen = after === 0 ? '' : await body.until(`"content":"${'abcd'[after - 2]}"`)
    await clock.timerSet()
    expect(clock.next).toBe(30)
    clock.advance(30)
    await expect(body.until('never')).rejects.toThrow('terminated')
    return { events: dataOf(seen), end: await served(model), clock }
  }

  test('is cut after so many events, once the client had time to read them', async () => {
    const { events, end } = await broken(3)
    expect(join(events)).toMatchObject({ text: 'ab', done: false, finish: null })
    expect(events).toHaveLength(3)
    expect(end).toMatchObject({ outcome: 'cut' })
  })

  test('may be cut before its first event', async () => {
    const { events, end } = await broken(0)
    expect(events).toEqual([])
    expect(end).toMatchObject({ outcome: 'cut' })
  })

  test('is not called cut where the client left first', async () => {
    const clock = new ManualClock()
    const model = await start([{ when: {}, answer: { fault: { kind: 'cut', after: 1 } } }], {
      clock,
    })
    const client = new AbortController()
    await reader(await post(model, [user('x')], { signal: client.signal })).until('"role"')
    await clock.timerSet()
    client.abort()
    await expect.poll(() => model.report().served[0]?.outcome).toBe('client-gone')
    expect(clock.pending).toBe(0)
  })

  test('lingers 100 ms if nothing is said', async () => {
    const clock = new ManualClock()
    const model = await start([{ when: {}, answer: { fault: { kind: 'cut', after: 0 } } }], {
      clock,
    })
    await post(model, [user('x')])
    await clock.timerSet()
    expect(clock.next).toBe(100)
  })

  test('hangs until the client goes away', async () => {
    const pauses: unknown[] = []
    const model = await start(
      [{ when: {}, answer: { text: 'a', fault: { kind: 'hang', after: 2 } } }],
      { onPause: (pause) => pauses.push(pause) },
    )
    const client = new AbortController()
    const body = reader(await post(model, [user('x')], { signal: client.signal }))
    expect(dataOf(await body.until('"content":"a"'))).toHaveLength(2)
    await model.reached('rule 0')
    expect(pauses).toEqual([{ kind: 'hang', name: 'rule 0', request: 1 }])
    expect(() => model.release('rule 0')).toThrow('no request is held')
    expect(model.report().served).toMatchObject([{ outcome: 'open' }])
    client.abort()
    await expect(body.until('never')).rejects.toThrow('aborted')
    await expect.poll(() => model.report().served[0]?.outcome).toBe('client-gone')
    expect(await served(model)).toMatchObject({ outcome: 'client-gone' })
  })

  test('hangs before its first event, with its status out', async () => {
    const model = await start([{ when: {}, answer: { fault: { kind: 'hang', after: 0 } } }])
    const response = await post(model, [user('x')])
    expect(response.status).toBe(200)
    const ending = expect(response.text()).rejects.toThrow('terminated')
    expect(await served(model)).toMatchObject({ outcome: 'closed' })
    await ending
  })

  test('is held until it is released, and then goes on', async () => {
    const fault: StreamFault = { kind: 'hold', after: 2, name: 'mid' }
    const model = await start([{ when: {}, answer: { text: 'ab', cut: 1, fault } }])
    const body = reader(await post(model, [user('x')]))
    await model.reached('mid')
    expect(join(dataOf(await body.until('"content":"a"'))).text).toBe('a')
    expect(model.release('mid')).toBe(1)
    expect(join(dataOf(await body.until('[DONE]\n\n')))).toMatchObject({ text: 'ab', done: true })
    await expect.poll(() => model.report().served[0]?.outcome).toBe('completed')
  })

  test('has an event that is not JSON', async () => {
    const fault: StreamFault = { kind: 'malformed', after: 1, data: '{oops' }
    const model = await start([{ when: {}, answer: { text: 'a', fault } }])
    const data = dataOf(await (await post(model, [user('x')])).text())
    expect(data).toHaveLength(5)
    expect(data[1]).toBe('{oops')
    expect(data.at(-1)).toBe('[DONE]')
    expect(await served(model)).toMatchObject({ outcome: 'completed' })
  })

  test('ends without [DONE]', async () => {
    const model = await start([{ when: {}, answer: { text: 'a', fault: { kind: 'no-done' } } }])
    expect(await ask(model, [user('x')])).toMatchObject({ text: 'a', finish: 'stop', done: false })
    expect(await served(model)).toMatchObject({ outcome: 'completed' })
  })
})

describe('pacing', () => {
  test('waits between events by the clock that is given', async () => {
    const clock = new ManualClock()
    const model = await start([{ when: {}, answer: { text: 'ab', cut: 1, gapMs: 250 } }], { clock })
    const body = reader(await post(model, [user('x')]))
    for (const piece of ['"role"', '"content":"a"', '"content":"b"']) {
      const seen = await body.until(piece)
      await clock.timerSet()
      expect(clock.next).toBe(250)
      expect(seen).not.toContain('stop')
      clock.advance(250)
    }
    const seen = await body.until('[DONE]')
    expect(seen).toContain('"created":1700000000,')
    await expect.poll(() => model.report().served[0]?.outcome).toBe('completed')
    expect(clock.pending).toBe(0)
  })

  test('stops where the client goes away', async () => {
    const clock = new ManualClock()
    const model = await start([{ when: {}, answer: { text: 'ab', cut: 1, gapMs: 250 } }], { clock })
    const client = new AbortController()
    const body = reader(await post(model, [user('x')], { signal: client.signal }))
    await body.until('"role"')
    client.abort()
    await expect.poll(() => model.report().served[0]?.outcome).toBe('client-gone')
    expect(clock.pending).toBe(0)
  })
})
