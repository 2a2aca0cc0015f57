import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_BYTES, TailBuffer } from '../src/tail.ts'

function tailOf(...chunks: string[]): string {
  const tail = new TailBuffer()
  for (const chunk of chunks) tail.push(Buffer.from(chunk))
  return tail.text()
}

test('keeps everything up to the cap', () => {
  expect(tailOf()).toBe('')
  expect(tailOf('a', 'b')).toBe('ab')
  expect(tailOf('x'.repeat(MAX_BYTES))).toBe('x'.repeat(MAX_BYTES))
})

test('joins characters that chunks cut', () => {
  const bytes = Buffer.from('é')
  const tail = new TailBuffer()
  tail.push(bytes.subarray(0, 1))
  tail.push(bytes.subarray(1))
  expect(tail.text()).toBe('é')
})

test('beyond it keeps the end, and says how much is missing', () => {
  expect(tailOf(`a${'x'.repeat(MAX_BYTES)}`)).toBe(
    `[1 earlier bytes omitted]\n${'x'.repeat(MAX_BYTES)}`,
  )
  expect(tailOf('abc', 'x'.repeat(MAX_BYTES - 1))).toBe(
    `[2 earlier bytes omitted]\nc${'x'.repeat(MAX_BYTES - 1)}`,
  )
})

test('cuts between characters', () => {
  const rest = 'x'.repeat(MAX_BYTES - 1)
  expect(tailOf(`é${rest}`)).toBe(`[2 earlier bytes omitted]\n${rest}`)
  expect(tailOf(`\u{1F600}${rest}`)).toBe(`[4 earlier bytes omitted]\n${rest}`)
})

test('bytes that are no UTF-8 at all are cut at the cap plus three', () => {
  const tail = new TailBuffer()
  tail.push(Buffer.alloc(MAX_BYTES + 1, 0x80))
  expect(tail.text()).toBe(`[4 earlier bytes omitted]\n${'\uFFFD'.repeat(MAX_BYTES - 3)}`)
})

test('holds no more than the cap and one chunk', () => {
  const tail = new TailBuffer()
  const chunk = Buffer.alloc(1000, 'x')
  for (let index = 0; index < 10_000; index += 1) tail.push(chunk)
  const { chunks } = tail as unknown as { chunks: Uint8Array[] }
  expect(chunks).toHaveLength(52)
  expect(tail.text()).toMatch(/^\[9948800 earlier bytes omitted\]\nx{51200}$/)
})

test('how the bytes are cut into chunks changes nothing', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(60_000), { maxLength: 5 }), fc.nat(120_000), (cuts, size) => {
      const bytes = Buffer.from('aé€\u{1F600}'.repeat(size / 10 + 1)).subarray(0, size)
      const whole = new TailBuffer()
      whole.push(bytes)
      const places = [0, ...cuts.map((cut) => Math.min(cut, size)), size].sort((a, b) => a - b)
      const parts = new TailBuffer()
      places.slice(1).forEach((end, index) => parts.push(bytes.subarray(places[index], end)))
      expect(parts.text() === whole.text()).toBe(true)
    }),
    { numRuns: 30 },
  )
})
