import { expect, it } from 'vitest'
import { systemRandom } from '../src/index.ts'

it('gives fractions that differ', () => {
  const fractions = Array.from({ length: 100 }, () => systemRandom.fraction())
  expect(fractions.every((value) => value >= 0 && value < 1)).toBe(true)
  expect(new Set(fractions).size).toBeGreaterThan(1)
})
