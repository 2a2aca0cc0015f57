import { LlmError } from 'dsh-llm'
import { describe, expect, test, vi } from 'vitest'
import { CallGuard } from '../src/guard.ts'
import { ManualClock } from './support/clock.ts'

const wait = { what: 'answer', ms: 10, setting: 'connectTimeoutMs' }
const broke = (error: unknown) => new LlmError('SERVER', `broke: ${String(error)}`)

/** A step that ends as fetch does: when the signal aborts. */
const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('AbortError')))
  })

test('a step that succeeds passes, and its timer is gone', async () => {
  const clock = new ManualClock()
  const guard = new CallGuard(clock, 99, undefined)
  expect(clock.pending).toEqual([99])
  const step = guard.within(wait, () => Promise.resolve('fine'), broke)
  expect(clock.pending).toEqual([99, 10])
  expect(await step).toBe('fine')
  expect(clock.pending).toEqual([99])
  guard.check()
  guard.dispose()
  expect(clock.pending).toEqual([])
})

test('a step that fails by itself fails as onError says, and its timer is gone', async () => {
  const clock = new ManualClock()
  const guard = new CallGuard(clock, 99, undefined)
  await expect(guard.within(wait, () => Promise.reject('x'), broke)).rejects.toMatchObject({
    message: 'broke: x',
  })
  expect(clock.pending).toEqual([99])
  guard.check()
  expect(guard.aborted).toBe(false)
})

describe('a wait that takes too long', () => {
  test('ends the step and the call', async () => {
    const clock = new ManualClock()
    const guard = new CallGuard(clock, 99, undefined)
    const step = guard.within(wait, () => untilAborted(guard.signal), broke)
    clock.fire(10)
    const reason = {
      code: 'STREAM_CLOSED',
      message:
        'the provider did not answer within 10 ms; raise connectTimeoutMs if it needs longer',
    }
    await expect(step).rejects.toMatchObject(reason)
    expect(() => guard.check()).toThrow(expect.objectContaining(reason))
    expect(guard.aborted).toBe(false)
  })

  test('so does the call as a whole', () => {
    const clock = new ManualClock()
    const guard = new CallGuard(clock, 99, undefined)
    clock.fire(99)
    expect(guard.signal.aborted).toBe(true)
    expect(() => guard.check()).toThrow(
      'the provider did not end within 99 ms; raise totalTimeoutMs if it needs longer',
    )
  })
})

describe("the caller's signal", () => {
  test('ends the step and the call as aborted', async () => {
    const controller = new AbortController()
    const guard = new CallGuard(new ManualClock(), 99, controller.signal)
    const step = guard.within(wait, () => untilAborted(guard.signal), broke)
    controller.abort()
    await expect(step).rejects.toMatchObject({ code: 'aborted', message: 'aborted' })
    expect(() => guard.check()).toThrow(expect.objectContaining({ code: 'aborted' }))
    expect(guard.aborted).toBe(true)
  })

  test('counts when it had aborted before', () => {
    const guard = new CallGuard(new ManualClock(), 99, AbortSignal.abort())
    expect(guard.signal.aborted).toBe(true)
    expect(() => guard.check()).toThrow(expect.objectContaining({ code: 'aborted' }))
  })

  test('what ended the call first decides', () => {
    const controller = new AbortController()
    const clock = new ManualClock()
    const guard = new CallGuard(clock, 99, controller.signal)
    clock.fire(99)
    controller.abort()
    expect(() => guard.check()).toThrow(expect.objectContaining({ code: 'STREAM_CLOSED' }))
  })
})

test('dispose closes the connection and leaves no listener', () => {
  const controller = new AbortController()
  const added = vi.spyOn(controller.signal, 'addEventListener')
  const removed = vi.spyOn(controller.signal, 'removeEventListener')
  const guard = new CallGuard(new ManualClock(), 99, controller.signal)
  expect(guard.signal.aborted).toBe(false)
  guard.dispose()
  expect(guard.signal.aborted).toBe(true)
  expect(removed.mock.calls).toEqual(added.mock.calls.map(([type, listener]) => [type, listener]))
  expect(added).toHaveBeenCalledTimes(1)
  guard.check()
})
