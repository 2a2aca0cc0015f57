import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutText } from '../../src/script/cut.ts'

describe('cutting', () => {
  test('counts code points, or UTF-16 units where it may cut anywhere', () => {
    expect(cutText('a😀bc', 2)).toEqual(['a😀', 'bc'])
    expect(cutText('a😀bc', { size: 2 })).toEqual(['a😀', 'bc'])
    expect(cutText('a😀bc', { size: 2, anywhere: false })).toEqual(['a😀', 'bc'])
    expect(cutText('a😀bc', { size: 2, anywhere: true })).toEqual(['a\ud83d', '\ude00b', 'c'])
    expect(cutText('abc', 3)).toEqual(['abc'])
    expect(cutText('', 1)).toEqual([])
  })

  test('joins back to the text, in as many pieces as fit', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        (text, size, anywhere) => {
          const pieces = cutText(text, { size, anywhere })
          expect(pieces.join('')).toBe(text)
          const length = anywhere ? text.length : Array.from(text).length
          expect(pieces).toHaveLength(Math.ceil(length / size))
          // What JSON makes of half a character must come back as that half.
          expect(pieces.map((piece) => JSON.parse(JSON.stringify(piece)) as string)).toEqual(pieces)
        },
      ),
    )
  })
})
