import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Clock, delay, eventLoopTurn, MAX_TIMER_MS, systemClock } from '../src/index.ts'

describe('systemClock', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_700_000_000_000 })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('now is the epoch time and monotonic measures durations', () => {
    expect(systemClock.now()).toBe(1_700_000_000_000)
    const start = systemClock.monotonic()
    vi.advanceTimersByTime(250)
    expect(systemClock.now()).toBe(1_700_000_000_250)
    expect(systemClock.monotonic() - start).toBe(250)
    vi.setSystemTime(0)
    expect(systemClock.monotonic() - start).toBe(250)
  })

  test('after runs once, at its time and not before', () => {
    const run = vi.fn()
    systemClock.after(100, run)
    expect(run).not.toHaveBeenCalled()
    vi.advanceTimersByTime(99)
    expect(run).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(run).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1000)
    expect(run).toHaveBeenCalledTimes(1)
  })

  test('a cancelled timer never runs, and cancelling is repeatable', () => {
    const run = vi.fn()
    const cancel = systemClock.after(100, run)
    cancel()
    cancel()
    vi.advanceTimersByTime(1000)
    expect(run).not.toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('a wait that the platform cannot represent is shortened, not fired at once', () => {
    const run = vi.fn()
    systemClock.after(Number.MAX_SAFE_INTEGER, run)
    vi.advanceTimersByTime(MAX_TIMER_MS - 1)
    expect(run).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(run).toHaveBeenCalledTimes(1)
  })
})

describe('a real timer', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  test.each([
    [undefined, false],
    [{}, false],
    [{ keepAlive: false }, false],
    [{ keepAlive: true }, true],
  ])('with options %j keeps the process alive: %s', (options, expected) => {
    const made = vi.spyOn(globalThis, 'setTimeout')
    const cancel = systemClock.after(60_000, () => undefined, options)
    const timer = made.mock.results[0]?.value as NodeJS.Timeout
    expect(timer.hasRef()).toBe(expected)
    cancel()
  })
})

describe('delay', () => {
  function manual(): { clock: Clock; timers: Map<number, () => void>; options: unknown[] } {
    const timers = new Map<number, () => void>()
    const options: unknown[] = []
    let next = 0
    const clock: Clock = {
      now: () => 0,
      monotonic: () => 0,
      after(ms, run, given) {
        const id = next++
        timers.set(id, run)
        options.push([ms, given])
        return () => void timers.delete(id)
      },
    }
    return { clock, timers, options }
  }

  test('resolves when its timer fires, keeping the process alive meanwhile', async () => {
    const { clock, timers, options } = manual()
    let done = false
    const watch = async () => {
      await delay(clock, 500)
      done = true
    }
    const waiting = watch()
    await Promise.resolve()
    expect(done).toBe(false)
    expect(options).toEqual([[500, { keepAlive: true }]])
    for (const run of timers.values()) run()
    await waiting
    expect(done).toBe(true)
    expect(timers.size).toBe(0)
  })

  test('an abort ends it early and leaves neither timer nor listener', async () => {
    const { clock, timers } = manual()
    const { signal, removed, abort } = watchedSignal()
    const waiting = delay(clock, 500, signal)
    expect(timers.size).toBe(1)
    abort()
    await waiting
    expect(timers.size).toBe(0)
    expect(removed).toHaveBeenCalledTimes(1)
  })

  test('a timer that fires takes its abort listener with it', async () => {
    const { clock, timers } = manual()
    const { signal, removed } = watchedSignal()
    const waiting = delay(clock, 500, signal)
    for (const run of timers.values()) run()
    await waiting
    expect(removed).toHaveBeenCalledTimes(1)
  })

  test('resolves at once, without a timer, when the signal has aborted already', async () => {
    const { clock, options } = manual()
    await delay(clock, 500, AbortSignal.abort())
    expect(options).toEqual([])
  })

  function watchedSignal(): {
    signal: AbortSignal
    removed: ReturnType<typeof vi.fn>
    abort: () => void
  } {
    const controller = new AbortController()
    const removed = vi.spyOn(controller.signal, 'removeEventListener')
    return { signal: controller.signal, removed, abort: () => controller.abort() }
  }
})

test('lets what waits for the event loop come first', async () => {
  const order: string[] = []
  setImmediate(() => order.push('other'))
  await eventLoopTurn()
  order.push('after')
  expect(order).toEqual(['other', 'after'])
})
