import { expect, it } from 'vitest'
import { isFields, parseLine, splitLines } from '../../src/log/lines.ts'

it.each([
  ['', []],
  ['a', ['a']],
  ['a\n', ['a']],
  ['a\n\n', ['a', '']],
  ['\n', ['']],
  ['a\nb', ['a', 'b']],
])('splits %j', (text, lines) => {
  expect(splitLines(text)).toEqual(lines)
})

it('parses a line', () => {
  expect(parseLine('{"a":1}', 1, 'x')).toEqual({ a: 1 })
})

it('names the file, the line and its beginning', () => {
  expect(() => parseLine('oops', 7, 'session.jsonl')).toThrow(
    expect.objectContaining({
      code: 'NOT_JSON',
      message: 'session.jsonl: line 7 is not JSON: "oops"',
      cause: expect.any(SyntaxError),
    }),
  )
  const eighty = 'x'.repeat(80)
  expect(() => parseLine(eighty, 1, 'f')).toThrow(`f: line 1 is not JSON: "${eighty}"`)
  expect(() => parseLine(`${eighty}y`, 1, 'f')).toThrow(`f: line 1 is not JSON: "${eighty}…"`)
})

it.each([
  [{}, true],
  [[], false],
  [null, false],
  ['x', false],
  [1, false],
])('isFields(%j) is %j', (value, is) => {
  expect(isFields(value)).toBe(is)
})
