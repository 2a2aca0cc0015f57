import { describe, expect, test, vi } from 'vitest'
import { collect, failureOf, hello, iterate, request, setUp } from './support/harness.ts'
import { events, open } from './support/server.ts'

describe('time', () => {
  test('an answer that does not begin', async () => {
    const { adapter, clock, server } = await setUp([() => undefined])
    const failure = failureOf(adapter.stream(request))
    await server.calls(1)
    clock.fire(1000)
    expect(await failure).toMatchObject({
      code: 'STREAM_CLOSED',
      message:
        'the provider did not answer within 1000 ms; raise connectTimeoutMs if it needs longer',
    })
    await server.closed[0]
    expect(clock.pending).toEqual([])
  })

  test('an answer that stalls', async () => {
    const { adapter, clock, server } = await setUp([open(hello[0])])
    const iterator = iterate(adapter.stream(request))
    await iterator.next()
    await iterator.next()
    expect(clock.pending).toEqual([3000])
    const next = iterator.next()
    expect(clock.pending).toEqual([3000, 2000])
    clock.fire(2000)
    await expect(next).rejects.toMatchObject({
      code: 'STREAM_CLOSED',
      message: 'the provider did not go on within 2000 ms; raise idleTimeoutMs if it needs longer',
    })
    await server.closed[0]
    expect(clock.pending).toEqual([])
  })

  test('an answer that goes on for too long', async () => {
    const { adapter, clock, server } = await setUp([open(...hello)])
    const iterator = iterate(adapter.stream(request))
    await iterator.next()
    clock.fire(3000)
    await expect(iterator.next()).rejects.toMatchObject({
      code: 'STREAM_CLOSED',
      message: 'the provider did not end within 3000 ms; raise totalTimeoutMs if it needs longer',
    })
    await server.closed[0]
  })
})

describe('an abort', () => {
  const aborted = { code: 'aborted', message: 'aborted' }

  test('before the call: nothing is sent', async () => {
    const { adapter, clock, server } = await setUp([])
    expect(await failureOf(adapter.stream({ ...request, signal: AbortSignal.abort() }))).toEqual(
      aborted,
    )
    expect(server.closed).toEqual([])
    expect(clock.pending).toEqual([])
  })

  test('while the answer is awaited', async () => {
    const controller = new AbortController()
    const { adapter, server } = await setUp([() => undefined])
    const failure = failureOf(adapter.stream({ ...request, signal: controller.signal }))
    await server.calls(1)
    controller.abort()
    expect(await failure).toEqual(aborted)
    await server.closed[0]
  })

  test('while the next chunk is awaited', async () => {
    const controller = new AbortController()
    const { adapter, clock, server } = await setUp([open(hello[0])])
    const iterator = iterate(adapter.stream({ ...request, signal: controller.signal }))
    await iterator.next()
    await iterator.next()
    const next = iterator.next()
    controller.abort()
    await expect(next).rejects.toMatchObject(aborted)
    await server.closed[0]
    expect(clock.pending).toEqual([])
    expect(await iterator.next()).toEqual({ done: true, value: undefined })
  })

  test.each([
    ['within the answer', 1],
    ['before its end', 3],
  ])('between two chunks that are here already, %s', async (_, taken) => {
    const controller = new AbortController()
    const { adapter, server } = await setUp([open(...hello, '[DONE]')])
    const iterator = iterate(adapter.stream({ ...request, signal: controller.signal }))
    for (let index = 0; index < taken; index += 1) await iterator.next()
    controller.abort()
    await expect(iterator.next()).rejects.toMatchObject(aborted)
    await server.closed[0]
  })

  test('afterwards changes nothing, and no listener is left', async () => {
    const controller = new AbortController()
    const removed = vi.spyOn(controller.signal, 'removeEventListener')
    const { adapter } = await setUp([events(...hello, '[DONE]')])
    const chunks = await collect(adapter.stream({ ...request, signal: controller.signal }))
    controller.abort()
    expect(chunks).toHaveLength(5)
    expect(removed).toHaveBeenCalledTimes(1)
  })
})

test('leaving the loop early closes the connection', async () => {
  const { adapter, clock, server } = await setUp([open(...hello)])
  for await (const chunk of adapter.stream(request)) {
    expect(chunk.type).toBe('block-start')
    break
  }
  await server.closed[0]
  expect(clock.pending).toEqual([])
})
