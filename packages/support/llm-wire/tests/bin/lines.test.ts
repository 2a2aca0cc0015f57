import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineSplitter, MAX_LINE } from '../../src/bin/lines.ts'

function split(...chunks: string[]): (string | undefined)[] {
  const lines: (string | undefined)[] = []
  const take = lineSplitter((line) => lines.push(line))
  for (const chunk of chunks) take(chunk)
  return lines
}

test('lines come out whole, however the stream is cut', () => {
  expect(split('a\nb', 'c\n', '\n', 'rest')).toEqual(['a', 'bc', ''])
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', '\n') })), (chunks) => {
      expect(split(...chunks)).toEqual(chunks.join('').split('\n').slice(0, -1))
    }),
  )
})

test('a line over the limit is dropped, the next one is not', () => {
  const fits = 'x'.repeat(MAX_LINE)
  expect(split(fits, '\n', fits, 'x', 'y', '\nnext\n', `${fits}x\n`)).toEqual([
    fits,
    undefined,
    'next',
    undefined,
  ])
})
