import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_SSE_LIMITS, SseDecoder } from '../src/sse.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const limits = { event: 20, response: 100 }

test('gives the data of each event, comments and unknown fields aside', () => {
  const decoder = new SseDecoder()
  expect(
    decoder.push(bytes(': keep-alive\n\ndata: a\n\nodd: field\nid: 1\ndata: b\n\nda')),
  ).toEqual(['a', 'b'])
  expect(decoder.push(bytes('ta: c\r\n\r\n'))).toEqual(['c'])
  expect(decoder.push(bytes('data: d1\ndata: d2\n\n'))).toEqual(['d1\nd2'])
  expect(decoder.done).toBe(false)
})

test('ends at [DONE] and ignores what follows', () => {
  const decoder = new SseDecoder()
  expect(decoder.push(bytes('data: a\n\ndata:  [DONE] \n\ndata: b\n\n'))).toEqual(['a'])
  expect(decoder.done).toBe(true)
  expect(decoder.push(bytes('data: c\n\n'))).toEqual([])
})

describe('finish', () => {
  test.each(['data: [DONE]', 'data: [DONE]\n', 'data: [DONE]\r\n'])(
    'accepts %j without its empty line',
    (tail) => {
      const decoder = new SseDecoder()
      decoder.push(bytes(tail))
      expect(decoder.done).toBe(false)
      decoder.finish()
      expect(decoder.done).toBe(true)
    },
  )

  test('drops any other event that was cut', () => {
    const decoder = new SseDecoder()
    decoder.push(bytes('data: {"cut'))
    decoder.finish()
    expect(decoder.done).toBe(false)
    expect(decoder.push(bytes(''))).toEqual([])
  })
})

describe('bounds', () => {
  const message = 'the provider sent an event of more than 20 characters; the answer was dropped'
  const tooLong = expect.objectContaining({ code: 'MALFORMED_RESPONSE', message })

  test('an event may be as long as the limit', () => {
    const decoder = new SseDecoder(limits)
    expect(decoder.push(bytes(`data: ${'x'.repeat(20)}\n\n`))).toEqual(['x'.repeat(20)])
  })

  test('a longer event is refused, whole in one piece', () => {
    expect(() => new SseDecoder(limits).push(bytes(`data: ${'x'.repeat(21)}\n\n`))).toThrow(tooLong)
  })

  test('and while it still grows', () => {
    const decoder = new SseDecoder(limits)
    expect(decoder.push(bytes('data: 0123456789'))).toEqual([])
    expect(() => decoder.push(bytes('0123456789'))).toThrow(tooLong)
  })

  test('a response may be as long as the limit, and no longer', () => {
    const decoder = new SseDecoder(limits)
    for (let sent = 0; sent < 100; sent += 10) decoder.push(bytes(': comment\n'))
    expect(() => decoder.push(bytes('\n'))).toThrow(
      expect.objectContaining({
        code: 'MALFORMED_RESPONSE',
        message: 'the provider sent a response of more than 100 bytes; the answer was dropped',
      }),
    )
  })

  test('the limits in use', () => {
    expect(DEFAULT_SSE_LIMITS).toEqual({ event: 8_388_608, response: 67_108_864 })
  })
})

test('however the bytes are cut, characters and line ends included, the events are the same', () => {
  const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n]/g, ''))
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1 }),
      fc.constantFrom('\n', '\r\n'),
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      (texts, eol, cuts) => {
        const all = bytes(texts.map((text) => `data: .${text}${eol}${eol}`).join(''))
        const decoder = new SseDecoder()
        const events: string[] = []
        for (let at = 0, turn = 0; at < all.length; turn += 1) {
          const size = cuts.at(turn % cuts.length) ?? 1
          events.push(...decoder.push(all.subarray(at, at + size)))
          at += size
        }
        // A last line that ends in a carriage return waits for what follows.
        events.push(...decoder.push(bytes(':\n')))
        expect(events).toEqual(texts.map((text) => `.${text}`))
      },
    ),
  )
})
