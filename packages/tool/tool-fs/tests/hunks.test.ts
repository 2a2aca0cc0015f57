import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { hunksOf } from '../src/hunks.ts'

const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index))
const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')
const change = (lines: readonly string[], changes: Record<number, string>): string[] =>
  lines.map((line, index) => changes[index + 1] ?? line)

test('one changed line of one', () => {
  expect(hunksOf('a.css', 'color: blue\n', 'color: red\n')).toEqual([
    { path: 'a.css', oldText: 'color: blue', newText: 'color: red' },
  ])
})

test('three lines of context on each side, and the key order of the log', () => {
  const before = numbered(1, 12)
  const hunks = hunksOf('p', text(before), text(change(before, { 6: 'six' })))
  expect(JSON.stringify(hunks)).toBe(
    JSON.stringify([
      { path: 'p', oldText: '3\n4\n5\n6\n7\n8\n9', newText: '3\n4\n5\nsix\n7\n8\n9' },
    ]),
  )
})

test('places that are far apart are hunks of their own, close ones are one', () => {
  const before = numbered(1, 20)
  expect(hunksOf('p', text(before), text(change(before, { 2: 'x', 10: 'y' })))).toEqual([
    { path: 'p', oldText: '1\n2\n3\n4\n5', newText: '1\nx\n3\n4\n5' },
    { path: 'p', oldText: '7\n8\n9\n10\n11\n12\n13', newText: '7\n8\n9\ny\n11\n12\n13' },
  ])
  expect(hunksOf('p', text(before), text(change(before, { 2: 'x', 9: 'y' })))).toHaveLength(1)
})

test('a hunk without old lines has null, one without new lines the empty text', () => {
  expect(hunksOf('p', '', 'a\nb\n')).toEqual([{ path: 'p', oldText: null, newText: 'a\nb' }])
  expect(hunksOf('p', 'a\nb\n', '')).toEqual([{ path: 'p', oldText: 'a\nb', newText: '' }])
})

test('an empty old line is a line', () => {
  expect(hunksOf('p', '\n', 'a\n')).toEqual([{ path: 'p', oldText: '', newText: 'a' }])
})

test('insertions and deletions keep their context', () => {
  expect(hunksOf('p', 'a\nb\n', 'a\nx\nb\n')).toEqual([
    { path: 'p', oldText: 'a\nb', newText: 'a\nx\nb' },
  ])
  expect(hunksOf('p', 'a\nx\nb\n', 'a\nb\n')).toEqual([
    { path: 'p', oldText: 'a\nx\nb', newText: 'a\nb' },
  ])
})

test('a missing newline at the end leaves no mark in the text', () => {
  expect(hunksOf('p', 'a\nb', 'a\nc')).toEqual([{ path: 'p', oldText: 'a\nb', newText: 'a\nc' }])
  expect(hunksOf('p', 'a', 'a\n')).toEqual([{ path: 'p', oldText: 'a', newText: 'a' }])
})

test('lines that look like marks of a patch are text', () => {
  expect(hunksOf('p', '-a\n+b\n\\ c\n', '-a\n+b\n\\ d\n')).toEqual([
    { path: 'p', oldText: '-a\n+b\n\\ c', newText: '-a\n+b\n\\ d' },
  ])
})

test('carriage returns stay', () => {
  expect(hunksOf('p', 'a\r\nb\r\n', 'a\r\nc\r\n')).toEqual([
    { path: 'p', oldText: 'a\r\nb\r', newText: 'a\r\nc\r' },
  ])
})

test('the same text has no hunks', () => {
  expect(hunksOf('p', 'a\n', 'a\n')).toEqual([])
})

test('a thousand lines against a thousand are still compared exactly', () => {
  const before = numbered(1, 2000)
  const changes: Record<number, string> = {}
  for (let at = 1; at <= 1990; at += 2) changes[at] = `x${at}`
  const hunks = hunksOf('p', text(before), text(change(before, changes)))
  expect(hunks).toHaveLength(1)
  expect(hunks[0]?.oldText).toBe(numbered(1, 1992).join('\n'))
})

test('beyond that there is one hunk from the first to the last difference, with context', () => {
  const common = ['a', 'b', 'c', 'd']
  const before = [...common, ...numbered(1, 1500), ...common]
  const after = [...common, ...numbered(5001, 6501), ...common]
  const context = (lines: string[]): string => ['b', 'c', 'd', ...lines, 'a', 'b', 'c'].join('\n')
  expect(hunksOf('p', text(before), text(after))).toEqual([
    { path: 'p', oldText: context(numbered(1, 1500)), newText: context(numbered(5001, 6501)) },
  ])
})

test('that hunk may begin and end the file, and common lines are not counted twice', () => {
  const before = numbered(1, 1500)
  const after = numbered(5001, 6500)
  expect(hunksOf('p', text(before), text(after))).toEqual([
    { path: 'p', oldText: before.join('\n'), newText: after.join('\n') },
  ])
  const repeated = (count: number): string => text(Array.from({ length: count }, () => 'x'))
  expect(hunksOf('p', repeated(3000), repeated(2))).toEqual([
    { path: 'p', oldText: repeated(3000).trimEnd(), newText: 'x\nx' },
  ])
  const grown = ['a', 'b', ...numbered(1, 3000), 'b', 'c', 'd', 'e']
  expect(hunksOf('p', text(grown), text(['a', 'b', 'c', 'd', 'e']))).toEqual([
    { path: 'p', oldText: grown.join('\n'), newText: 'a\nb\nc\nd\ne' },
  ])
  expect(hunksOf('p', '', text(numbered(1, 3000)))).toEqual([
    { path: 'p', oldText: null, newText: numbered(1, 3000).join('\n') },
  ])
  expect(hunksOf('p', '', numbered(1, 3000).join('\n'))).toEqual([
    { path: 'p', oldText: null, newText: numbered(1, 3000).join('\n') },
  ])
})

test('every hunk is found in both texts, in order', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 })
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      let oldAt = 0
      let newAt = 0
      for (const { oldText, newText } of hunksOf('p', text(before), text(after))) {
        if (oldText !== null) {
          const found = `\n${text(before)}`.indexOf(`\n${oldText}\n`, oldAt)
          expect(found).toBeGreaterThanOrEqual(0)
          oldAt = found + oldText.length
        }
        if (newText !== '') {
          const found = `\n${text(after)}`.indexOf(`\n${newText}\n`, newAt)
          expect(found).toBeGreaterThanOrEqual(0)
          newAt = found + newText.length
        }
      }
    }),
  )
})
