import { expect, test } from 'vitest'
import { deepFreeze, sealJson, sealParsed } from '../src/index.ts'

test('freezes all the way down', () => {
  const value = { a: [{ b: {} }], c: null, d: 1 }
  expect(sealJson(value)).toBeUndefined()
  for (const part of [value, value.a, value.a[0], value.a[0]?.b]) {
    expect(Object.isFrozen(part)).toBe(true)
  }
})

test('freezes nothing when it refuses', () => {
  const value = { a: {}, b: undefined }
  expect(sealJson(value)).toBe('data.b is undefined')
  expect(sealJson(value, 'x')).toBe('x.b is undefined')
  expect(Object.isFrozen(value.a)).toBe(false)
})

test('a value frozen by someone else is checked and frozen inside', () => {
  const value = Object.freeze({ inner: { deep: {} } })
  expect(sealJson(value)).toBeUndefined()
  expect(Object.isFrozen(value.inner.deep)).toBe(true)
  expect(sealJson(Object.freeze({ inner: undefined }))).toBe('data.inner is undefined')
})

test('a value that was sealed is not walked again', () => {
  let walks = 0
  const value = new Proxy(
    { a: 1 },
    {
      ownKeys(target) {
        walks++
        return Reflect.ownKeys(target)
      },
    },
  )
  sealJson(value)
  const first = walks
  sealJson(value)
  deepFreeze({ value })
  expect(walks).toBe(first)
  expect(first).toBeGreaterThan(0)
})

test('deepFreeze gives back what it was given', () => {
  const value = { a: 1 }
  expect(deepFreeze(value)).toBe(value)
  expect(deepFreeze(5)).toBe(5)
  expect(deepFreeze(null)).toBe(null)
})

test('deepFreeze vouches for nothing', () => {
  const value = deepFreeze({ a: undefined })
  expect(sealJson(value)).toBe('data.a is undefined')
})

test('sealParsed vouches for what a log holds', () => {
  const value = sealParsed({ a: [-0] })
  expect(Object.isFrozen(value.a)).toBe(true)
  expect(sealJson(value)).toBeUndefined()
})

test('what was vouched for once is left alone, frozen or not when it came', () => {
  const value = Object.freeze({ a: 1 })
  expect(sealParsed(value)).toBe(value)
  expect(sealParsed(value)).toBe(value)
  const own = sealParsed({ a: -0 })
  expect(sealParsed(own)).toBe(own)
  expect(sealJson(own)).toBeUndefined()
})
