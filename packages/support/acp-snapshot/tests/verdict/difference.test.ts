import { expect, it } from 'vitest'
import { firstParting } from '../../src/verdict/difference.ts'

it.each([
  [{ a: 1 }, { a: 1 }, undefined],
  [undefined, undefined, undefined],
  [{ a: { b: [1, 2] } }, { a: { b: [1, 3] } }, ['a.b[1]', '2', '3']],
  [[1], [1, 2], ['[1]', undefined, '2']],
  [[1, 2], [1], ['[1]', '2', undefined]],
  [{ a: 1, b: 2 }, { a: 1 }, ['b', '2', undefined]],
  [{ a: 1 }, { a: 1, b: { c: 2 } }, ['b', undefined, '{"c":2}']],
  [{ a: 1, b: 2 }, { a: 3, b: 4 }, ['a', '1', '3']],
  [{ b: 1, a: 2 }, { b: 1, a: 3, c: 4 }, ['a', '2', '3']],
  [{ x: { a: 1, b: 2 } }, { x: { b: 2, a: 1 } }, ['x', 'keys a, b', 'keys b, a']],
  [{ a: [] }, { a: {} }, ['a', '[]', '{}']],
  [{ a: {} }, { a: [] }, ['a', '{}', '[]']],
  [{ a: [1] }, { a: 'xyz' }, ['a', '[1]', '"xyz"']],
  ['x', 'y', ['', '"x"', '"y"']],
  [{ a: null }, { a: {} }, ['a', 'null', '{}']],
  [undefined, { a: 1 }, ['', undefined, '{"a":1}']],
])('%j and %j part at %j', (expected, actual, parting) => {
  const wanted =
    parting === undefined
      ? undefined
      : { path: parting[0], expected: parting[1], actual: parting[2] }
  expect(firstParting(expected, actual)).toEqual(wanted)
})
