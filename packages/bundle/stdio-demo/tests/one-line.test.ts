import { expect, it } from 'vitest'
import { oneLine } from '../src/one-line.ts'

it.each([
  ['', ''],
  ['  a\n\tb\u001b[31mc\u0007\u009b ', 'a b [31mc'],
  ['é😀', 'é😀'],
])('%j', (text, line) => {
  expect(oneLine(text)).toBe(line)
})

it('is cut between characters, and says so', () => {
  expect(oneLine('abcde', 5)).toBe('abcde')
  expect(oneLine('abcdef', 5)).toBe('abcd…')
  expect(oneLine('😀😀😀', 3)).toBe('😀😀😀')
  expect(oneLine('😀😀😀😀', 3)).toBe('😀😀…')
  expect(oneLine('x'.repeat(9_999))).toHaveLength(9_999)
})
