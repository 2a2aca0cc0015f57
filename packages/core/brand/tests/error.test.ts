import { describe, expect, test } from 'vitest'
import { DshError, messageOf } from '../src/index.ts'

class OddError extends DshError {}

describe('DshError', () => {
  test('carries code, message and the name of its class', () => {
    const error = new OddError('ODD', 'expected even, came 3')
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ code: 'ODD', message: 'expected even, came 3', name: 'OddError' })
    expect(new DshError('X', 'y').name).toBe('DshError')
    expect('cause' in error).toBe(false)
  })

  test('keeps its cause', () => {
    const cause = new Error('inner')
    expect(new DshError('X', 'y', { cause }).cause).toBe(cause)
  })

  test('is recognised across copies of the package, by a global symbol', () => {
    expect(DshError.is(new OddError('ODD', 'm'))).toBe(true)
    expect(DshError.is({ [Symbol.for('dsh.error')]: true })).toBe(true)
    expect(DshError.is(new Error('m'))).toBe(false)
    for (const value of [undefined, null, 'text', 3]) expect(DshError.is(value)).toBe(false)
  })

  test('the mark is not seen by serialisers', () => {
    expect(Object.keys(new DshError('X', 'y'))).toEqual(['code', 'name'])
  })
})

describe('messageOf', () => {
  const hostile = {
    toString() {
      throw new Error('no')
    },
  }
  test.each([
    ['an error', new Error('broken'), 'broken'],
    ['an error-like object', { message: 'from afar' }, 'from afar'],
    ['a message that is no text', { message: 5 }, '5'],
    ['a string', 'plain', 'plain'],
    ['undefined', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['an object without prototype', Object.create(null), 'unknown error'],
    ['an object that cannot be printed', hostile, 'unknown error'],
  ])('of %s', (_, value, expected) => {
    expect(messageOf(value)).toBe(expected)
  })
})
