import { expect, test, vi } from 'vitest'
import { bounded } from '../src/bounded.ts'
import { deferred, ManualClock } from './support.ts'

test('passes on the outcome and leaves no timer behind', async () => {
  const clock = new ManualClock()
  const late = vi.fn(() => new Error('late'))
  await expect(bounded(clock, 10, Promise.resolve('done'), late)).resolves.toBe('done')
  const broken = new Error('broken')
  await expect(bounded(clock, 10, Promise.reject(broken), late)).rejects.toBe(broken)
  expect(clock.pending).toBe(0)
  expect(late).not.toHaveBeenCalled()
})

test('rejects when the time is over, not before', async () => {
  const clock = new ManualClock()
  const work = deferred<string>()
  const seen: unknown[] = []
  const result = bounded(clock, 10, work.promise, () => new Error('late')).catch((error: Error) =>
    seen.push(error.message),
  )
  clock.advance(9)
  await Promise.resolve()
  expect(seen).toEqual([])
  clock.advance(1)
  await result
  expect(seen).toEqual(['late'])
})

test('a rejection that comes too late is observed', async () => {
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  const clock = new ManualClock()
  const work = deferred<never>()
  const result = bounded(clock, 1, work.promise, () => new Error('late'))
  clock.advance(1)
  await expect(result).rejects.toThrow('late')
  work.reject(new Error('much later'))
  // Node reports unhandled rejections after the microtasks of a turn.
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})
