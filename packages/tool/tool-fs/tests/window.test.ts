import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type LineWindow, MAX_BYTES, WindowCollector } from '../src/window.ts'

function collect(chunks: readonly (string | Uint8Array)[], first = 1, limit = 2000): LineWindow {
  const collector = new WindowCollector(first, limit)
  for (const chunk of chunks)
    collector.push(typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk))
  return collector.finish()
}

test.each<[string, string[], number]>([
  ['', [], 0],
  ['\n', [''], 1],
  ['a', ['a'], 1],
  ['a\n', ['a'], 1],
  ['a\n\n', ['a', ''], 2],
  ['a\nb', ['a', 'b'], 2],
  ['a\r\nb\r\n', ['a', 'b'], 2],
  ['a\r', ['a'], 1],
  ['a\rb\r\r\n', ['a\rb\r'], 1],
  ['\uFEFFa\n\uFEFFb', ['a', '\uFEFFb'], 2],
  ['x\u2028y', ['x\u2028y'], 1],
])('%j has the lines %j', (text, lines, total) => {
  expect(collect([text])).toEqual({ lines, total, capped: false })
})

test('bytes that are not UTF-8 are shown as U+FFFD', () => {
  expect(collect([Buffer.from([0x61, 0xff, 0x62])]).lines).toEqual(['a\uFFFDb'])
})

test('a window has its first line and at most its limit, and the total is that of the file', () => {
  const text = 'a\nb\nc\nd\n'
  expect(collect([text], 2, 2)).toEqual({ lines: ['b', 'c'], total: 4, capped: false })
  expect(collect([text], 4, 2)).toEqual({ lines: ['d'], total: 4, capped: false })
  expect(collect([text], 5, 2)).toEqual({ lines: [], total: 4, capped: false })
})

test('the byte cap counts the text and the breaks between lines, to the byte', () => {
  const half = MAX_BYTES / 2
  const full = `${'x'.repeat(half)}\n${'y'.repeat(half - 1)}\n`
  expect(collect([full])).toMatchObject({ total: 2, capped: false })
  expect(collect([full]).lines).toHaveLength(2)
  const over = `${'x'.repeat(half)}\n${'y'.repeat(half)}\n`
  expect(collect([over])).toEqual({ lines: ['x'.repeat(half)], total: 2, capped: true })
  expect(collect([`${'x'.repeat(MAX_BYTES)}\n\n`])).toEqual({
    lines: ['x'.repeat(MAX_BYTES)],
    total: 2,
    capped: true,
  })
})

test('the cap counts bytes, not characters, and ends the window for good', () => {
  const third = 'é'.repeat(MAX_BYTES / 4)
  const text = `${third}\n${third}\nz\n`
  expect(collect([text])).toEqual({ lines: [third], total: 3, capped: true })
})

test('a first line over the cap is cut between characters and says so', () => {
  const line = 'a' + '€'.repeat(20_000)
  const window = collect([`${line}\nb\n`])
  expect(window.total).toBe(2)
  expect(window.capped).toBe(true)
  // 1 + 3 * 17066 = 51199: one more character would not fit.
  expect(window.lines).toEqual([`a${'€'.repeat(17_066)}... (line cut at 51200 bytes)`])
})

test('a first line of exactly the cap is not cut, one byte more is', () => {
  expect(collect(['x'.repeat(MAX_BYTES)])).toEqual({
    lines: ['x'.repeat(MAX_BYTES)],
    total: 1,
    capped: false,
  })
  expect(collect(['x'.repeat(MAX_BYTES + 1)])).toEqual({
    lines: [`${'x'.repeat(MAX_BYTES)}... (line cut at 51200 bytes)`],
    total: 1,
    capped: true,
  })
  expect(collect([`${'x'.repeat(MAX_BYTES)}\r\n`]).capped).toBe(false)
  expect(collect([`\uFEFF${'x'.repeat(MAX_BYTES)}\r\n`]).capped).toBe(false)
})

test('a very long line costs no more memory than the cap', () => {
  const collector = new WindowCollector(1, 10)
  const chunk = Buffer.alloc(64 * 1024, 'x')
  for (let i = 0; i < 100; i += 1) collector.push(chunk)
  const kept = (collector as unknown as { parts: Buffer[] }).parts
  expect(Buffer.concat(kept).length).toBe(MAX_BYTES + 16)
  expect(collector.finish().lines[0]).toHaveLength(
    MAX_BYTES + '... (line cut at 51200 bytes)'.length,
  )
})

test('lines outside the window cost no memory', () => {
  const collector = new WindowCollector(2, 10)
  collector.push(Buffer.from('abc'))
  expect((collector as unknown as { parts: unknown[] }).parts).toEqual([])
})

test('does not keep the chunks, whose memory the caller uses again', () => {
  const collector = new WindowCollector(1, 10)
  const buffer = Buffer.from('abc')
  collector.push(buffer)
  buffer.fill('z')
  expect(collector.finish().lines).toEqual(['abc'])
})

test('how the bytes are cut into chunks changes nothing', () => {
  const piece = fc.constantFrom('a', 'é', '€', '\u{1F600}', '\n', '\r\n', '\uFEFF', ' ')
  const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(
      text,
      fc.array(fc.nat(60)),
      fc.integer({ min: 1, max: 5 }),
      (whole, cuts, first) => {
        const bytes = Buffer.from(whole)
        const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length]
        places.sort((a, b) => a - b)
        const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end))
        expect(collect(chunks, first, 3)).toEqual(collect([bytes], first, 3))
      },
    ),
  )
})

test('all windows of a file, put together, are the file', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-z]{0,5}$/), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 7 }),
      (lines, limit) => {
        const text = lines.map((line) => `${line}\n`).join('')
        const read: string[] = []
        while (read.length < lines.length)
          read.push(...collect([text], read.length + 1, limit).lines)
        expect(read).toEqual(lines)
      },
    ),
  )
})
