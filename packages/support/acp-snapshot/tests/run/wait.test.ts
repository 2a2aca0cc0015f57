import { systemClock } from 'dsh-brand'
import { describe, expect, test } from 'vitest'
import { pollUntil, settlesWithin } from '../../src/run/wait.ts'
import { HeldClock } from './held-clock.ts'

const never = new Promise<never>(() => {})

describe('settlesWithin', () => {
  test.each([
    ['resolves', () => Promise.resolve()],
    ['rejects', () => Promise.reject(new Error('no'))],
  ])('is true for one that %s, and leaves no timer', async (_how, promise) => {
    const clock = new HeldClock(10)
    const { signal } = new AbortController()
    expect(await settlesWithin(promise(), clock, 10, signal)).toBe(true)
    expect(clock.pending(10)).toBe(0)
  })

  test('is false once the time is over', async () => {
    const clock = new HeldClock(10)
    const answer = settlesWithin(never, clock, 10)
    clock.fire(10)
    expect(await answer).toBe(false)
  })

  test('is false once the wait is aborted, before or after it began', async () => {
    const clock = new HeldClock(10)
    const controller = new AbortController()
    const answer = settlesWithin(never, clock, 10, controller.signal)
    controller.abort()
    expect(await answer).toBe(false)
    expect(await settlesWithin(never, clock, 10, controller.signal)).toBe(false)
    expect(clock.pending(10)).toBe(0)
  })
})

describe('pollUntil', () => {
  test('asks at once, and again each time', async () => {
    const clock = new HeldClock(7)
    const answers = [false, false, true]
    const done = pollUntil(async () => answers.shift() ?? false, {
      clock,
      pollMs: 7,
      signal: new AbortController().signal,
    })
    for (const left of [2, 1]) {
      await clock.armed(7)
      expect(answers).toHaveLength(left)
      clock.fire(7)
    }
    await done
    expect(answers).toEqual([])
  })

  test('ends without an answer when aborted', async () => {
    const controller = new AbortController()
    const clock = new HeldClock(7)
    const done = pollUntil(async () => false, { clock, pollMs: 7, signal: controller.signal })
    await clock.armed(7)
    controller.abort()
    await done
    let asked = 0
    const check = async (): Promise<boolean> => {
      asked += 1
      return false
    }
    await pollUntil(check, { clock: systemClock, pollMs: 1, signal: controller.signal })
    expect(asked).toBe(0)
  })

  test('rejects with what the check throws', async () => {
    const check = (): Promise<boolean> => Promise.reject(new Error('broken'))
    const { signal } = new AbortController()
    await expect(pollUntil(check, { clock: systemClock, pollMs: 1, signal })).rejects.toThrow(
      'broken',
    )
  })
})
