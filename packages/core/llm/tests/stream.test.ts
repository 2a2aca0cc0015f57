import { expect, test } from 'vitest'
import { failingStream, isModelStream } from '../src/index.ts'

test('a failing stream rejects on first iteration and then has ended', async () => {
  const error = new Error('no')
  const iterator = failingStream(error)[Symbol.asyncIterator]()
  await expect(iterator.next()).rejects.toBe(error)
  expect(await iterator.next()).toEqual({ done: true, value: undefined })
})

test('a failing stream that nobody iterates rejects nothing', () => {
  expect(isModelStream(failingStream(new Error('unseen')))).toBe(true)
})

test.each([
  [{ [Symbol.asyncIterator]: () => undefined }, true],
  [{}, false],
  [[], false],
  [null, false],
  [undefined, false],
  ['text', false],
])('isModelStream(%o) is %s', (value, expected) => {
  expect(isModelStream(value)).toBe(expected)
})
