import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineReader } from '../src/lines.ts'

function split(...pieces: (string | Uint8Array)[]) {
  const splitter = new LineReader()
  return pieces.flatMap((piece) => splitter.push(Buffer.from(piece)))
}

test('numbers lines from 1 and says where they end', () => {
  expect(split('ab\nc', '\n\nrest')).toEqual([
    { text: 'ab', number: 1, end: 3 },
    { text: 'c', number: 2, end: 5 },
    { text: '', number: 3, end: 6 },
  ])
})

test('a line that is not UTF-8 has no text, and the next one has', () => {
  const lines = split(Buffer.from([0x61, 0xff, 0x0a, 0x62, 0x0a]))
  expect(lines.map((line) => line.text)).toEqual([undefined, 'b'])
})

test('a byte order mark stays', () => {
  expect(split('\uFEFFa\n')[0]?.text).toBe('\uFEFFa')
})

test('the bytes may be reused after a push', () => {
  const splitter = new LineReader()
  const buffer = Buffer.from('abc')
  splitter.push(buffer)
  buffer.fill('x')
  expect(splitter.push(Buffer.from('d\n'))).toEqual([{ text: 'abcd', number: 1, end: 5 }])
})

test('gives the same lines however the bytes are cut (property)', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ' '))),
      fc.array(fc.nat(200), { maxLength: 10 }),
      (texts, cuts) => {
        const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''))
        const offsets = [0, ...cuts.filter((cut) => cut <= bytes.length).sort((a, b) => a - b)]
        const pieces = offsets.map((from, index) => bytes.subarray(from, offsets[index + 1]))
        expect(split(...pieces).map((line) => line.text)).toEqual(texts)
        expect(split(...pieces).at(-1)?.end ?? 0).toBe(bytes.length)
      },
    ),
  )
})

test('what is not terminated is a line only when it is asked for', () => {
  expect(new LineReader().rest()).toBeUndefined()
  const reader = new LineReader()
  reader.push(Buffer.from('a\nb'))
  reader.push(Buffer.from('c'))
  expect(reader.rest()).toEqual({ text: 'bc', number: 2, end: 4, torn: true })
  const ended = new LineReader()
  ended.push(Buffer.from('a\n'))
  expect(ended.rest()).toBeUndefined()
  const damaged = new LineReader()
  damaged.push(Buffer.from([0x61, 0x0a, 0xff]))
  expect(damaged.rest()).toEqual({ text: undefined, number: 2, end: 3, torn: true })
})
