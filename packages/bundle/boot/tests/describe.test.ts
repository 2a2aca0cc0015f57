import type { Message } from '@deepseek-ai/cordis'
import { describe as suite, expect, test } from 'vitest'
import { causesOf, describe, describeMessage, oneLine } from '../src/describe.ts'

const message = (...args: unknown[]): Message => ({
  sn: 1,
  ts: 0,
  name: 'plugin',
  type: 'error',
  level: 0,
  args,
})

suite('describe', () => {
  test.each<[string, unknown, string]>([
    ['message', new Error('broken'), 'broken'],
    ['name, for want of a message', new TypeError(''), 'TypeError'],
    ['code', Object.assign(new Error('no file'), { code: 'ENOENT' }), 'no file [ENOENT]'],
    [
      'a code that the message holds already',
      Object.assign(new Error('ENOENT: no file'), { code: 'ENOENT' }),
      'ENOENT: no file',
    ],
    ['a code that is no text', Object.assign(new Error('odd'), { code: 7 }), 'odd'],
    ['text', 'just text', 'just text'],
    ['an object', { a: { b: [1] } }, '{ a: { b: [ 1 ] } }'],
    ['nothing', undefined, 'undefined'],
    ['a cause', new Error('outer', { cause: new Error('inner') }), 'outer; caused by: inner'],
    ['a quoted cause', new Error('it: inner', { cause: new Error('inner') }), 'it: inner'],
    [
      'a cause that is no error',
      new Error('outer', { cause: { n: 1 } }),
      'outer; caused by: { n: 1 }',
    ],
  ])('%s', (_what, error, expected) => {
    expect(describe(error)).toBe(expected)
  })

  test('follows a ring of causes only so far', () => {
    const error = new Error('ring')
    error.cause = error
    expect(causesOf(error)).toHaveLength(8)
    expect(describe(error)).toBe('ring')
  })

  test('lists causes nearest first', () => {
    const inner = new Error('inner')
    const middle = new Error('middle', { cause: inner })
    expect(causesOf(new Error('outer', { cause: middle }))).toEqual([middle, inner])
    expect(causesOf('text')).toEqual([])
  })
})

suite('describeMessage', () => {
  test.each<[string, unknown[], string]>([
    ['an error without its stack', [new Error('broken')], 'broken'],
    ['an error whose message looks like a format', [new Error('100%s %d')], '100%s %d'],
    ['errors behind a text', ['cannot:', new Error('broken')], 'cannot: broken'],
    ['placeholders', ['%s of %d in %C', 'one', 2.5, 'file'], 'one of 2 in file'],
    ['an error in a placeholder', ['got %s', new Error('broken')], 'got broken'],
    ['an object first', [{ a: 1 }], '{ a: 1 }'],
    ['an object last', ['see', { a: [1, { b: 2 }] }], 'see { a: [ 1, { b: 2 } ] }'],
  ])('%s', (_what, args, expected) => {
    expect(describeMessage(message(...args))).toBe(expected)
  })

  test('an object that contains itself', () => {
    const ring: { self?: unknown } = {}
    ring.self = ring
    expect(describeMessage(message('ring', ring))).toContain('[Circular')
  })
})

test('oneLine escapes control characters and nothing else', () => {
  expect(oneLine('a\nb\rc\u001b[31m\u0085é 😀 "\\"')).toBe(
    'a\\nb\\u000dc\\u001b[31m\\u0085é 😀 "\\"',
  )
})
