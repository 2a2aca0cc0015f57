import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editPieces } from '../src/deltas.ts'
import { type FindEdits, replaceAcrossDeltas, replaceInText } from '../src/index.ts'
import { check } from './helpers/property.ts'

/** Finds every `needle`, without looking at how the text is cut. */
function finding(needle: string, text: string): FindEdits {
  return (joined) => {
    const edits = []
    for (
      let at = joined.indexOf(needle);
      at >= 0;
      at = joined.indexOf(needle, at + needle.length)
    ) {
      edits.push({ start: at, end: at + needle.length, text })
    }
    return edits
  }
}

describe('replaceAcrossDeltas', () => {
  it.each([
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    [['cwd'], ['LIVE']],
    [
      ['xcw', 'dy'],
      ['xLIVE', 'y'],
    ],
    [
      ['c', 'w', 'd'],
      ['LIVE', '', ''],
    ],
    [
      ['', 'c', '', 'wd', ''],
      ['', 'LIVE', '', '', ''],
    ],
    [
      ['xcwdcw', 'd-cw', 'dz'],
      ['xLIVELIVE', '-LIVE', 'z'],
    ],
    [
      ['c', 'wdcwdc', 'wd'],
      ['LIVE', 'LIVELIVE', ''],
    ],
    [[], []],
  ])('maps %j to %j', (pieces, expected) => {
    expect(replaceAcrossDeltas(pieces, finding('cwd', 'LIVE'))).toEqual(expected)
  })

  it('gives back the same array when nothing is found', () => {
    const pieces = ['a', 'b']
    expect(replaceAcrossDeltas(pieces, () => [])).toBe(pieces)
  })

  it.each([
    [{ start: 1, end: 1, text: 'x' }],
    [{ start: 2, end: 1, text: 'x' }],
    [{ start: -1, end: 1, text: 'x' }],
    [{ start: 1, end: 4, text: 'x' }],
    [
      { start: 1, end: 3, text: 'x' },
      { start: 2, end: 3, text: 'y' },
    ],
    [
      { start: 2, end: 3, text: 'x' },
      { start: 0, end: 1, text: 'y' },
    ],
  ])('refuses edits that break the contract %#', (...edits) => {
    const last = edits.at(-1)
    expect(() => replaceAcrossDeltas(['ab', 'c'], () => edits)).toThrow(
      new RangeError(
        `edit [${last?.start}, ${last?.end}) is empty, out of order or out of the text`,
      ),
    )
  })

  it('takes edits that touch, from the first unit to the last', () => {
    const edits = [
      { start: 0, end: 1, text: 'X' },
      { start: 1, end: 3, text: 'Y' },
    ]
    expect(replaceAcrossDeltas(['ab', 'c'], () => edits)).toEqual(['XY', ''])
  })

  it('keeps the number of pieces, and the joined text is the replaced joined text (property)', () => {
    const piece = fc.string({ unit: fc.constantFrom('a', 'b', '/', '😀'), maxLength: 4 })
    const needle = fc.string({ unit: fc.constantFrom('a', 'b', '/'), minLength: 1, maxLength: 4 })
    check(
      fc.property(fc.array(piece), needle, fc.string(), (pieces, search, text) => {
        const mapped = replaceAcrossDeltas(pieces, finding(search, text))
        expect(mapped).toHaveLength(pieces.length)
        expect(mapped.join('')).toBe(pieces.join('').split(search).join(text))
      }),
      1000,
    )
  })

  it('changes only pieces that a match touches (property)', () => {
    const piece = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 3 })
    check(
      fc.property(fc.array(piece), (pieces) => {
        const find = finding('ab', 'LIVE')
        const edits = find(pieces.join(''))
        const mapped = replaceAcrossDeltas(pieces, find)
        let offset = 0
        for (const [at, text] of pieces.entries()) {
          const [from, to] = [offset, offset + text.length]
          const begun = edits.filter(({ start }) => start >= from && start < to).length
          if (!edits.some(({ start, end }) => start < to && end > from)) {
            expect(mapped[at]).toBe(text)
          }
          expect((mapped[at] ?? '').split('LIVE')).toHaveLength(begun + 1)
          offset = to
        }
      }),
      1000,
    )
  })
})

it('tells of the pieces that change, and of no others', () => {
  const pieces = ['ab', 'c', 'd', 'e']
  const edits = [
    { start: 0, end: 1, text: 'a' },
    { start: 2, end: 4, text: 'X' },
  ]
  const told: [number, string][] = []
  editPieces(
    pieces.join(''),
    edits,
    (piece) => pieces[piece] as string,
    (...change) => told.push(change),
  )
  expect(told).toEqual([
    [1, 'X'],
    [2, ''],
  ])
})

describe('replaceInText', () => {
  it('replaces in one piece', () => {
    expect(replaceInText('a cwd b', finding('cwd', 'LIVE'))).toBe('a LIVE b')
    expect(replaceInText('', finding('cwd', 'LIVE'))).toBe('')
  })
})
