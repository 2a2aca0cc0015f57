import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { applyEdits, type Edit } from '../../src/normalise/edits.ts'
import { editPieces } from '../../src/normalise/pieces.ts'

const edit = (start: number, end: number, text: string): Edit => ({ start, end, text })

it('applies edits to a text', () => {
  expect(applyEdits('abcdef', [edit(1, 2, 'XX'), edit(4, 6, '')])).toBe('aXXcd')
  expect(applyEdits('abc', [])).toBe('abc')
})

it.each([
  ['inside one piece', ['abc', 'def'], [edit(1, 2, 'X')], ['aXc', 'def']],
  ['over two pieces', ['abc', 'def'], [edit(2, 4, 'X')], ['abX', 'ef']],
  ['over a whole piece', ['ab', 'cd', 'ef'], [edit(1, 5, 'X')], ['aX', '', 'f']],
  ['up to the end of a piece', ['ab', 'cd'], [edit(1, 2, 'X')], ['aX', 'cd']],
  ['up to the end of a later piece', ['ab', 'cd', 'e'], [edit(1, 4, 'X')], ['aX', '', 'e']],
  ['from the start of a piece', ['ab', 'cd'], [edit(2, 3, 'X')], ['ab', 'Xd']],
  ['two in one piece', ['abcd'], [edit(0, 1, 'X'), edit(2, 3, 'Y')], ['XbYd']],
  [
    'one ends where the next begins',
    ['abc', 'def'],
    [edit(1, 4, 'X'), edit(4, 5, 'Y')],
    ['aX', 'Yf'],
  ],
  ['past empty pieces', ['', 'ab', '', 'cd', ''], [edit(1, 3, 'X')], ['', 'aX', '', 'd', '']],
  ['nothing', ['ab', 'cd'], [], ['ab', 'cd']],
])('replaces %s', (_, pieces, edits, wanted) => {
  expect(editPieces(pieces, edits)).toEqual(wanted)
})

it('keeps the number of pieces and the edited text, and puts each text where its match begins', () => {
  const cases = fc.tuple(
    fc.array(fc.string({ maxLength: 6 }), { maxLength: 12 }),
    fc.array(
      fc.tuple(fc.nat(8), fc.integer({ min: 1, max: 8 }), fc.constantFrom('', '#', '#####')),
    ),
  )
  fc.assert(
    fc.property(cases, ([pieces, spans]) => {
      const joined = pieces.join('')
      const edits: Edit[] = []
      let at = 0
      for (const [gap, length, text] of spans) {
        if (at + gap + length > joined.length) break
        edits.push(edit(at + gap, at + gap + length, text))
        at += gap + length
      }
      const out = editPieces(pieces, edits)
      expect(out.length).toBe(pieces.length)
      expect(out.join('')).toBe(applyEdits(joined, edits))
      // Up to the end of each piece: what was before it, with every edit that has begun.
      let end = 0
      pieces.forEach((piece, index) => {
        end += piece.length
        const begun = edits.filter((one) => one.start < end)
        const tail = begun.at(-1)
        const shown = Math.max(end, tail?.end ?? 0)
        const before = applyEdits(joined.slice(0, shown), begun)
        const wanted =
          tail !== undefined && tail.end > end ? before : applyEdits(joined.slice(0, end), begun)
        expect(out.slice(0, index + 1).join('')).toBe(wanted)
      })
    }),
  )
})
