import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stripUndefined } from '../src/index.ts'

describe('stripUndefined', () => {
  test('drops undefined keys at any depth and keeps null, false and empty ones', () => {
    const config = {
      a: undefined,
      b: null,
      c: false,
      d: '',
      e: { f: undefined, g: [{ h: undefined }] },
    }
    const stripped = stripUndefined(config)
    expect(Object.keys(stripped)).toEqual(['b', 'c', 'd', 'e'])
    expect(Object.keys(stripped.e)).toEqual(['g'])
    expect(Object.keys(stripped.e.g[0] as object)).toEqual([])
  })

  test('a key named __proto__ stays a key', () => {
    const stripped = stripUndefined(JSON.parse('{"__proto__":{"a":1}}') as object)
    expect(JSON.stringify(stripped)).toBe('{"__proto__":{"a":1}}')
  })

  test('does not touch its argument', () => {
    const config = Object.freeze({ a: undefined, b: Object.freeze({ c: undefined }) })
    stripUndefined(config)
    expect(Object.keys(config)).toEqual(['a', 'b'])
    expect(Object.keys(config.b)).toEqual(['c'])
  })

  test('keeps the places of array elements', () => {
    expect(stripUndefined([undefined, 1, undefined])).toStrictEqual([undefined, 1, undefined])
  })

  test('passes on what is not plain data', () => {
    const url = new URL('http://localhost')
    const run = () => undefined
    const stripped = stripUndefined({
      url,
      run,
      bare: Object.assign(Object.create(null), { a: 1 }),
    })
    expect(stripped.url).toBe(url)
    expect(stripped.run).toBe(run)
    expect(stripped.bare).toEqual({ a: 1 })
    expect(stripUndefined(undefined)).toBeUndefined()
    expect(stripUndefined(null)).toBeNull()
    expect(stripUndefined('text')).toBe('text')
  })

  test('leaves JSON data as it is, and agrees with JSON about absent keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(stripUndefined(value)).toEqual(value)
      }),
    )
    const sparse = fc.dictionary(fc.string(), fc.option(fc.integer(), { nil: undefined }))
    fc.assert(
      fc.property(sparse, (value) => {
        expect(JSON.stringify(stripUndefined(value))).toBe(JSON.stringify(value))
        expect(Object.values(stripUndefined(value))).not.toContain(undefined)
      }),
    )
  })
})
