import { expect, it } from 'vitest'
import { excerpts, oneLine, wrap } from '../../src/verdict/excerpt.ts'

it('shows short values whole', () => {
  expect(excerpts('"a"', undefined, 20)).toEqual(['"a"', '(nothing)'])
  expect(excerpts(undefined, '1', 20)).toEqual(['(nothing)', '1'])
})

it('shows long values around the place where they part', () => {
  const same = 'abcdefghij'.repeat(10)
  expect(excerpts(`${same}X${same}`, `${same}Y`, 40)).toEqual([
    '…hijabcdefghijXabcdefghijabcdefghijabcd…',
    '…hijabcdefghijY',
  ])
  expect(excerpts(`X${same}`, 'Y', 12)).toEqual(['Xabcdefghij…', 'Y'])
  expect(excerpts('Y', `X${same}`, 12)).toEqual(['Y', 'Xabcdefghij…'])
})

it('makes one line of a width', () => {
  expect(oneLine('a\nb', 3)).toBe('a⏎b')
  expect(oneLine('abcd', 4)).toBe('abcd')
  expect(oneLine('abcde', 4)).toBe('abc…')
})

it('ends where the shorter value ends', () => {
  expect(excerpts('ab', 'abc', 10)).toEqual(['ab', 'abc'])
})

it('halves no character, and is quick with texts of any size', () => {
  const same = '🙂'.repeat(100_000)
  for (const width of [30, 31, 32, 33]) {
    const [left, right] = excerpts(`${same}a${same}`, `${same}b`, width)
    expect(left).toMatch(/^…🙂{4,6}a🙂+…$/u)
    expect(Array.from(left)).toHaveLength(width)
    expect(right).toMatch(/^…🙂{4,6}b$/u)
  }
  expect(oneLine('🙂🙂🙂', 3)).toBe('🙂🙂🙂')
  expect(oneLine('🙂🙂🙂🙂', 3)).toBe('🙂🙂…')
})

it('prints nothing that a terminal would take for a command', () => {
  expect(oneLine('a\u001b[2Jb\tc\r\nd\u202ee', 99)).toBe('a�[2Jb c⏎d�e')
})

it('wraps between words, and cuts what fits in no line', () => {
  expect(wrap('one two three', 7, 5)).toEqual(['one two', 'three'])
  expect(wrap('one two three', 8, 5)).toEqual(['one two', 'three'])
  expect(wrap('  abcdefgh ij ', 3, 5)).toEqual(['abc', 'def', 'gh', 'ij'])
  expect(wrap('one two three four', 5, 2)).toEqual(['one', 'two …'])
  expect(wrap('x'.repeat(1_000_000), 10, 2)).toEqual(['x'.repeat(10), `${'x'.repeat(9)}…`])
  expect(wrap('', 5, 2)).toEqual([])
})
