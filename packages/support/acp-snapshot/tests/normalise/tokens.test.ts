import { expect, it } from 'vitest'
import {
  highestId,
  highestSession,
  isSessionToken,
  sessionToken,
  TokenBook,
} from '../../src/normalise/tokens.ts'

it('names sessions by place', () => {
  expect([0, 1, 12].map(sessionToken)).toEqual(['{{session}}', '{{session.1}}', '{{session.12}}'])
})

it.each([
  ['{{session}}', true],
  ['{{session.3}}', true],
  ['{{sessionId}}', true],
  ['{{session.}}', false],
  ['x{{session}}', false],
  ['{{session}}x', false],
  ['{{id.1}}', false],
])('isSessionToken(%j) is %j', (text, is) => {
  expect(isSessionToken(text)).toBe(is)
})

it('finds the highest tokens', () => {
  expect(highestSession([])).toBe(-1)
  expect(highestSession(['nothing {{id.9}}'])).toBe(-1)
  expect(highestSession(['{{sessionId}}'])).toBe(0)
  expect(highestSession(['a {{session}} {{session.10}}', '{{session.9}}'])).toBe(10)
  expect(highestId(['{{session.9}}'])).toBe(0)
  expect(highestId(['{{id.2}} {{id.10}} {{id.3}}', '{{id.4}}'])).toBe(10)
})

it('counts on from what it has seen', () => {
  const book = new TokenBook()
  book.see(4)
  book.see(2)
  expect([book.tokenOf('a'), book.tokenOf('b'), book.tokenOf('a')]).toEqual([
    '{{id.5}}',
    '{{id.6}}',
    '{{id.5}}',
  ])
})

it('tells ids that are no UUIDs apart by case', () => {
  const book = new TokenBook()
  expect(book.tokenOf('a')).not.toBe(book.tokenOf('A'))
})

it('knows its sessions', () => {
  const book = new TokenBook()
  const id = '11111111-aaaa-4aaa-8aaa-111111111111'
  book.addSession(id, '{{session}}')
  book.tokenOf('other')
  expect([id, id.toUpperCase(), 'other'].map((one) => book.isSession(one))).toEqual([
    true,
    true,
    false,
  ])
  expect(book.tokenOf(id)).toBe('{{session}}')
})
