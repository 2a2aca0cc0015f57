import { expect, test } from 'vitest'
import type { Facets, WireWhen } from '../../src/index.ts'
import { judgeRules } from '../../src/match/judge.ts'
import { prepareRules } from '../../src/script/prepare.ts'

const facets: Facets = { firstUser: 'one two', lastUser: 'three', turn: 2, step: 3, attempt: 1 }

const misses = (when: WireWhen): number | undefined =>
  judgeRules(prepareRules({ rules: [{ when, answer: {} }] }, undefined, 't'), facets)[0]?.misses

test.each<[WireWhen, number]>([
  [{}, 0],
  [{ firstUser: 'one two' }, 0],
  [{ firstUser: 'one' }, 1],
  [{ firstUser: { contains: 'e t' } }, 0],
  [{ firstUser: { contains: 'eet' } }, 1],
  [{ firstUser: { matches: '^o.*o$' } }, 0],
  [{ firstUser: { matches: '^two' } }, 1],
  [{ lastToolResult: '' }, 1],
  [{ lastToolResult: { contains: 'x' } }, 1],
  [{ lastToolResult: { matches: '' } }, 1],
  [{ lineage: '0' }, 1],
  [{ turn: 2, step: 3, attempt: 1 }, 0],
  [{ turn: 3, step: 2, attempt: 2, lastUser: 'three' }, 3],
])('%j misses %i', (when, expected) => {
  expect(misses(when)).toBe(expected)
})

test('says which facet holds', () => {
  const rules = prepareRules(
    { rules: [{ when: { step: 3, lastUser: 'x' }, answer: {} }] },
    undefined,
    't',
  )
  expect(judgeRules(rules, facets)[0]).toEqual({
    rule: rules[0],
    misses: 1,
    facets: [
      { facet: 'step', wanted: 3, ok: true },
      { facet: 'lastUser', wanted: 'x', ok: false },
    ],
  })
})
