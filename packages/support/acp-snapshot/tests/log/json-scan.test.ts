import { anything, assert, json, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEEPEST, jsonProblem } from '../../src/log/json-scan.ts'

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('jsonProblem', () => {
  it.each([
    ['', 'the text ends too early', 1, 1],
    ['[1,', 'the text ends too early', 1, 4],
    ['{"a":1,\n  "b" 2}', 'expected ":" after a key', 2, 7],
    ['{"a":1,}', 'expected a key in quotes, not "}"', 1, 8],
    ['{a:1}', 'expected a key in quotes, not "a"', 1, 2],
    ['[1,]', 'expected a value, not "]"', 1, 4],
    ['{"a":}', 'expected a value, not "}"', 1, 6],
    ['[1 2]', 'expected "," or "]", not "2"', 1, 4],
    ['{"a":1]', 'expected "," or "}", not "]"', 1, 7],
    ['{} x', 'expected the end, not "x"', 1, 4],
    ['01', 'expected a value, not "0"', 1, 1],
    ['"\t"', 'expected a value, not "\\""', 1, 1],
    ['{"a":1,"b":2,"a":3}', 'the key "a" stands twice in one object', 1, 14],
    ['{"a":1,"\\u0061":3}', 'the key "a" stands twice in one object', 1, 8],
    ['[{"a":{"b":1,\n"b":1}}]', 'the key "b" stands twice in one object', 2, 1],
  ])('%j: %s', (text, problem, line, column) => {
    expect(jsonProblem(text)).toMatchObject({ problem, line, column })
  })

  it.each([
    '{}',
    ' [ ] ',
    '{"a":{"a":1},"b":[{"a":1},{"a":2}]}',
    '{ "__proto__" : 1 }',
    '-0',
    '1E5',
    '" \\u00e9\u007f\u2028 \\ud800"',
    '"\ud800"',
  ])('%s is sound', (text) => {
    expect(jsonProblem(text)).toBeUndefined()
  })

  it('bounds the depth, and nothing else about the number of brackets', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(jsonProblem(nested(DEEPEST))).toBeUndefined()
    expect(jsonProblem(nested(DEEPEST + 1))).toEqual({
      problem: `nested deeper than ${DEEPEST} levels`,
      offset: DEEPEST,
      line: 1,
      column: DEEPEST + 1,
    })
    expect(jsonProblem(nested(20_000))?.offset).toBe(DEEPEST)
    expect(jsonProblem(`[${Array.from({ length: 2 * DEEPEST }, () => '[]').join(',')}]`)).toBe(
      undefined,
    )
  })

  it('accepts what JSON.parse accepts, spaced or not (property)', () => {
    assert(
      property(anything(), (value) => {
        const text = JSON.stringify(value)
        if (text === undefined) return
        expect(jsonProblem(` ${text}`)).toBeUndefined()
        expect(jsonProblem(JSON.stringify(value, null, 2))).toBeUndefined()
      }),
    )
  })

  it('refuses what JSON.parse refuses (property)', () => {
    assert(
      property(json(), json(), (a, b) => {
        for (let cut = 0; cut < a.length; cut += 1) {
          const text = a.slice(0, cut) + b.slice(cut)
          const found = jsonProblem(text)
          if (found?.problem.includes('twice') !== true) {
            expect(found === undefined).toBe(parses(text))
          }
        }
      }),
    )
  })
})
