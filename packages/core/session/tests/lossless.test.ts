import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findLoss, MAX_DEPTH } from '../src/index.ts'

class Point {
  x = 1
}
class List extends Array<number> {}

const cyclic: Record<string, unknown> = { a: {} }
;(cyclic.a as Record<string, unknown>).back = cyclic

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = [value]
  return value
}

function extraKey(): unknown {
  return Object.assign([1], { extra: true })
}

// oxlint-disable-next-line no-sparse-arrays -- a hole is what is to be found
const holes = [1, , 3]

describe('findLoss', () => {
  test.each<[string, unknown, string]>([
    ['undefined', undefined, 'data is undefined'],
    ['undefined inside', { a: [{ b: undefined }] }, 'data.a[0].b is undefined'],
    ['-0', [-0], 'data[0] is -0'],
    ['NaN', { n: Number.NaN }, 'data.n is NaN'],
    ['Infinity', Number.NEGATIVE_INFINITY, 'data is -Infinity'],
    ['BigInt', { n: 1n }, 'data.n is a bigint'],
    ['functions', () => 1, 'data is a function'],
    ['symbols', [Symbol('s')], 'data[0] is a symbol'],
    ['holes', holes, 'data[1] is a hole'],
    ['instances', { p: new Point() }, 'data.p is an instance of Point'],
    ['dates', new Date(0), 'data is an instance of Date'],
    ['maps', new Map(), 'data is an instance of Map'],
    ['array subclasses', new List(), 'data is an instance of List'],
    [
      'unnamed prototypes',
      Object.create(Object.create(null) as object),
      'data is an instance of class',
    ],
    ['array properties', extraKey(), 'data is an array with extra properties'],
    ['symbol keys', { [Symbol('s')]: 1 }, 'data has hidden or symbol keys'],
    ['hidden keys', Object.defineProperty({}, 'h', { value: 1 }), 'data has hidden or symbol keys'],
    [
      'accessors',
      {
        get now() {
          return 1
        },
      },
      'data.now is an accessor',
    ],
  ])('refuses %s', (_, value, expected) => {
    expect(findLoss(value)).toBe(expected)
  })

  test('refuses cycles and what is too deep to be written, with a short message', () => {
    expect(findLoss(cyclic)).toMatch(/^data\.a\.back\.a\.back.{0,400} is part of a cycle$/)
    expect(findLoss(nested(MAX_DEPTH))).toBeUndefined()
    const loss = findLoss(nested(MAX_DEPTH + 1))
    expect(loss).toMatch(/ is nested deeper than 1000$/)
    expect(loss?.length).toBeLessThan(300)
  })

  test('accepts objects without prototype, own __proto__ keys and shared parts', () => {
    expect(findLoss(Object.assign(Object.create(null) as object, { a: 1 }))).toBeUndefined()
    expect(findLoss(JSON.parse('{"__proto__":{"a":1}}'))).toBeUndefined()
    const shared = { a: 1 }
    expect(findLoss([shared, shared, [shared]])).toBeUndefined()
  })

  test('names the path it is given', () => {
    expect(findLoss([undefined], 'event')).toBe('event[0] is undefined')
  })

  test('accepts JSON values exactly when they come back unchanged (property)', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const round: unknown = JSON.parse(JSON.stringify(value))
        expect(findLoss(value) === undefined).toBe(isDeepStrictEqual(round, value))
      }),
      { numRuns: 200 },
    )
  })

  test('accepts nothing that does not come back unchanged (property)', () => {
    const options = { withBigInt: true, withDate: true, withMap: true, withSparseArray: true }
    fc.assert(
      fc.property(fc.anything(options), (value) => {
        fc.pre(findLoss(value) === undefined)
        expect(isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  test('finds one planted loss anywhere (property)', () => {
    const losses = [undefined, -0, Number.NaN, 1n, new Point()]
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.nat(5)), { maxLength: 6 }),
        fc.constantFrom(...losses),
        (path, loss) => {
          let value: unknown = loss
          for (const key of path) value = typeof key === 'number' ? [0, value] : { [key]: value }
          expect(findLoss(value)).toBeDefined()
        },
      ),
      { numRuns: 200 },
    )
  })
})
