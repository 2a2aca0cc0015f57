import { array, assert, nat, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { LineSplitter } from '../src/line-splitter.ts'

function split(chunks: readonly Buffer[]): string[] {
  const splitter = new LineSplitter()
  const lines = chunks.flatMap((chunk) => splitter.push(chunk))
  const rest = splitter.end()
  return [...lines, ...(rest === undefined ? [] : [rest])].map((line) => line.toString('utf8'))
}

test('lines are the same however the bytes are cut', () => {
  assert(
    property(
      array(string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', '⏎'))),
      array(nat(30)),
      (lines, cuts) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
        const chunks: Buffer[] = []
        let start = 0
        for (const cut of cuts) {
          chunks.push(bytes.subarray(start, start + cut))
          start += cut
        }
        expect(split([...chunks, bytes.subarray(start)])).toEqual(lines)
      },
    ),
  )
})

test('counts what has no newline yet, gives it at the end, and starts afresh', () => {
  const splitter = new LineSplitter()
  expect(splitter.push(Buffer.from('a\nbé'))).toEqual([Buffer.from('a')])
  expect(splitter.pendingBytes).toBe(3)
  expect(splitter.end()).toEqual(Buffer.from('bé'))
  expect(splitter.pendingBytes).toBe(0)
  expect(splitter.end()).toBeUndefined()
  expect(splitter.push(Buffer.from('c\n'))).toEqual([Buffer.from('c')])
})

test('the bytes may be reused after a push', () => {
  const splitter = new LineSplitter()
  const buffer = Buffer.from('abc')
  splitter.push(buffer)
  buffer.fill('x')
  expect(splitter.push(Buffer.from('d\n'))).toEqual([Buffer.from('abcd')])
})
