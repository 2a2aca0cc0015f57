import { expect, test } from 'vitest'
import { excerpt, redactor } from '../src/text.ts'

test('a redactor takes out every occurrence, literally', () => {
  expect(redactor('s.k$&')('a s.k$& b s.k$&, not sxk$&')).toBe('a *** b ***, not sxk$&')
})
test('without a secret, texts stay as they are', () => {
  expect(redactor(undefined)('as it is')).toBe('as it is')
})

test.each([
  ['short', 5, 'short'],
  ['longer', 5, 'longe…'],
  ['  a\n\t b  ', 5, 'a b'],
  ['', 5, ''],
  ['ab😀cd', 3, 'ab…'],
  ['ab😀cd', 4, 'ab😀…'],
])('excerpt(%j, %i) is %j', (text, max, expected) => {
  expect(excerpt(text, max)).toBe(expected)
})
