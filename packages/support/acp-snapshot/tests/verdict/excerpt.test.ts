import { expect, it } from 'vitest'
import { excerpts, oneLine } from '../../src/verdict/excerpt.ts'

it('shows short values whole', () => {
  expect(excerpts('"a"', undefined, 20)).toEqual(['"a"', '(nothing)'])
  expect(excerpts(undefined, '1', 20)).toEqual(['(nothing)', '1'])
})

it('shows long values around the place where they part', () => {
  const same = 'abcdefghij'.repeat(10)
  expect(excerpts(`${same}X${same}`, `${same}Y`, 40)).toEqual([
    `…${'abcdefghij'.repeat(2)}Xabcdefghijabcdefg…`,
    `…${'abcdefghij'.repeat(2)}Y`,
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
