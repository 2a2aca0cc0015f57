import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { replaceText } from '../src/replace.ts'

test('replaces the first place, or all from left to right', () => {
  expect(replaceText('a-b-a', 'a', 'x', false)).toEqual({ text: 'x-b-a', count: 2 })
  expect(replaceText('a-b-a', 'a', 'x', true)).toEqual({ text: 'x-b-x', count: 2 })
  expect(replaceText('aaa', 'aa', 'x', true)).toEqual({ text: 'xa', count: 2 })
})

test('overlapping places are ambiguous', () => {
  expect(replaceText('ababa', 'aba', 'x', false).count).toBe(2)
})

test('leaves the text alone where nothing is found', () => {
  expect(replaceText('abc', 'x', 'y', true)).toEqual({ text: 'abc', count: 0 })
})

test('both texts are literal', () => {
  expect(replaceText('a.c abc', 'a.c', "$&$1$'", false).text).toBe("$&$1$' abc")
  expect(replaceText('a.c abc', 'a.c', '$&', true).text).toBe('$& abc')
})

test('where all lines end in CRLF, plain newlines of a model mean CRLF', () => {
  expect(replaceText('a\r\nb\r\nc\r\n', 'a\nb', 'x\ny\nz', false)).toEqual({
    text: 'x\r\ny\r\nz\r\nc\r\n',
    count: 1,
  })
  expect(replaceText('a\r\n', 'a', 'x\r\ny', true).text).toBe('x\r\ny\r\n')
})

test('where line ends are mixed or plain, they are taken as they are', () => {
  expect(replaceText('a\r\nb\nc', 'a\nb', 'x', false).count).toBe(0)
  expect(replaceText('a\r\nb\nc', 'b', 'x\ny', false).text).toBe('a\r\nx\ny\nc')
  expect(replaceText('\na\r\n', 'a', 'x\ny', false).text).toBe('\nx\ny\r\n')
  expect(replaceText('abc', 'b', 'x\ny', false).text).toBe('ax\nyc')
})

test('agrees with what a simple model says', () => {
  const small = fc.string({ unit: fc.constantFrom('a', 'b', '$', '.'), maxLength: 12 })
  const wanted = fc.string({
    unit: fc.constantFrom('a', 'b', '$', '.'),
    minLength: 1,
    maxLength: 3,
  })
  fc.assert(
    fc.property(small, wanted, small, (text, old, replacement) => {
      const places = text.split('').filter((_, at) => text.startsWith(old, at)).length
      expect(replaceText(text, old, replacement, true)).toEqual({
        text: text.replaceAll(old, () => replacement),
        count: places,
      })
      expect(replaceText(text, old, replacement, false)).toEqual({
        text: text.replace(old, () => replacement),
        count: places,
      })
    }),
  )
})
