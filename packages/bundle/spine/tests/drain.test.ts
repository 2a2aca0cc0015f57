import { type Clock, systemClock } from 'dsh-brand'
import { expect, it } from 'vitest'
import { drained } from '../src/drain.ts'

/** Counts its timers, and fires them when told to. */
function handClock() {
  const timers: { ms: number; fire: () => void }[] = []
  const clock: Clock = {
    ...systemClock,
    after(ms, fire) {
      const timer = { ms, fire }
      timers.push(timer)
      return () => void timers.splice(timers.indexOf(timer), 1)
    },
  }
  return { clock, timers }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))
const never = new Promise<void>(() => undefined)
const close = () => undefined

it('sets no bound before the end of the input', async () => {
  const { clock, timers } = handClock()
  void drained({ closed: never, ended: never, close }, { clock })
  await settle()
  expect(timers).toEqual([])
})

it('ends as the serving does, and leaves no timer', async () => {
  const { clock, timers } = handClock()
  const closed = Promise.resolve()
  await drained({ closed, ended: Promise.resolve(), close }, { clock })
  const ended = Promise.reject(new Error('not saved'))
  await expect(drained({ closed, ended, close }, { clock })).rejects.toThrow('not saved')
  expect(timers).toEqual([])
})

it.each([
  [{}, 10_000],
  [{ drainTimeoutMs: 5 }, 5],
])('gives up after its bound: %j', async (options, ms) => {
  const { clock, timers } = handClock()
  let tooLate: (error: Error) => void = () => undefined
  const ended = new Promise<void>((_, reject) => {
    tooLate = reject
  })
  const waiting = drained({ closed: Promise.resolve(), ended, close }, { clock, ...options })
  const outcome = expect(waiting).rejects.toMatchObject({
    code: 'DRAIN_TIMEOUT',
    message: expect.stringMatching(
      new RegExp(`^the running turns did not end within ${ms} ms after the end of the input`),
    ),
  })
  await settle()
  expect(timers.map((timer) => timer.ms)).toEqual([ms])
  timers[0]?.fire()
  await outcome
  // Unobserved, it would end the process.
  tooLate(new Error('at last'))
  await settle()
})

it('takes the clock of the machine where none is given', async () => {
  await drained({ closed: Promise.resolve(), ended: Promise.resolve(), close }, {})
})
