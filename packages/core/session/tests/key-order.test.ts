import { expect, test } from 'vitest'
import { inKeyOrder } from '../src/key-order.ts'

const ordered = (value: object): string => JSON.stringify(inKeyOrder(value, ['a', 'b', 'c']))

test('keys that are in order stay where they are, with all between', () => {
  expect(ordered({ x: 1, a: 1, y: 1, c: 1, z: 1 })).toBe('{"x":1,"a":1,"y":1,"c":1,"z":1}')
  expect(ordered({ y: 1, x: 1 })).toBe('{"y":1,"x":1}')
  expect(ordered({})).toBe('{}')
})

test('keys out of order are put in order, and unknown ones behind them', () => {
  expect(ordered({ y: 1, c: 1, x: 1, a: 1, b: 1 })).toBe('{"a":1,"b":1,"c":1,"y":1,"x":1}')
})

test('what is in order is given back as it is', () => {
  const value = { a: 1, x: 1, c: 1 }
  expect(inKeyOrder(value, ['a', 'b', 'c'])).toBe(value)
})
