import { expect, test } from 'vitest'
import { atExit, runAtExit } from '../../src/run/at-exit.ts'

test('does what is left when the process exits, the newest first, whatever one throws', () => {
  const before = process.listenerCount('exit')
  const done: string[] = []
  const first = atExit(() => done.push('first'))
  const second = atExit(() => done.push('second'))
  atExit(() => {
    done.push('throws')
    throw new Error('no')
  })
  atExit(() => done.push('last'))
  expect(process.listenerCount('exit')).toBe(before + 1)
  second()
  expect(process.listenerCount('exit')).toBe(before + 1)
  runAtExit()
  expect(done).toEqual(['last', 'throws', 'first'])
  runAtExit()
  expect(done).toHaveLength(3)
  first()
  expect(process.listenerCount('exit')).toBe(before)
})
