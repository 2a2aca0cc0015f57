import { expect, it } from 'vitest'
import { firstDifference } from '../../src/requests/compare.ts'

const never = (): boolean => false
const NOW = 1783352166075

it.each([
  [1, 1],
  ['a', 'a'],
  [[], []],
  [{ a: [1, { b: null }] }, { a: [1, { b: null }] }],
  [{ a: 1 }, { a: 1, b: undefined }],
  [{ a: undefined }, {}],
  [{ content: [{ durationMs: 0 }] }, { content: [{ durationMs: 12 }] }],
  [{ startedAt: 0 }, { startedAt: NOW }],
  [{ startedAt: NOW + 1 }, { startedAt: NOW }],
])('%j is %j', (expected, actual) => {
  expect(firstDifference(expected, actual, never)).toBeUndefined()
})

it.each<[unknown, unknown, (string | number)[], unknown, unknown]>([
  [1, 2, [], 1, 2],
  [0, -0, [], 0, -0],
  ['1', 1, [], '1', 1],
  [1, '1', [], 1, '1'],
  [null, {}, [], null, {}],
  [{}, [], [], {}, []],
  [[], {}, [], [], {}],
  [undefined, 1, [], undefined, 1],
  [{ a: [1, 2] }, { a: [1, 3] }, ['a', 1], 2, 3],
  [[1, 2], [1], [1], 2, undefined],
  [[1], [1, 2], [1], undefined, 2],
  [{ a: 1, b: 1 }, { a: 2, b: 2 }, ['a'], 1, 2],
  [{ a: 1 }, { b: 2, a: 1 }, ['b'], undefined, 2],
  [{ a: 1, b: 2 }, { b: 2 }, ['a'], 1, undefined],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, [], ['a', 'b'], ['b', 'a']],
  [{ a: 1, b: 2 }, { b: 3, a: 1 }, ['b'], 2, 3],
  [{ size: NOW }, { size: 0 }, ['size'], NOW, 0],
  [[NOW], [0], [0], NOW, 0],
])('%j is not %j, at %j', (expected, actual, path, left, right) => {
  expect(firstDifference(expected, actual, never)).toEqual({ path, expected: left, actual: right })
})

it('asks whether texts that are not equal mean the same, and of nothing else', () => {
  const asked: string[][] = []
  const sameText = (expected: string, actual: string): boolean => {
    asked.push([expected, actual])
    return expected === '{{cwd}}'
  }
  const [expected, actual] = [
    ['a', '{{cwd}}', 1, 'x', 'z'],
    ['a', '/w', 1, 'y', 'z'],
  ]
  expect(firstDifference(expected, actual, sameText)).toEqual({
    path: [3],
    expected: 'x',
    actual: 'y',
  })
  expect(asked).toEqual([
    ['{{cwd}}', '/w'],
    ['x', 'y'],
  ])
  expect(firstDifference('{{cwd}}', 1, () => true)).toEqual({
    path: [],
    expected: '{{cwd}}',
    actual: 1,
  })
  expect(firstDifference(1, 'x', () => true)).toBeDefined()
})
