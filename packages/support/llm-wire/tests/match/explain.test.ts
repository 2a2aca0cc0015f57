import { describe, expect, test } from 'vitest'
import type { Facets, WireRule } from '../../src/index.ts'
import {
  explainAmbiguous,
  explainConsumed,
  explainUnscripted,
  type Miss,
} from '../../src/match/explain.ts'
import { judgeRules, type RuleVerdict } from '../../src/match/judge.ts'
import { prepareRules } from '../../src/script/prepare.ts'

const facets: Facets = { firstUser: 'go', lastUser: 'go', turn: 1, step: 2, attempt: 1 }

function miss(rules: WireRule[], uses: number[][], more: Partial<Miss> = {}): Miss {
  return {
    number: 9,
    facets,
    source: 'wire.json',
    verdicts: judgeRules(prepareRules({ rules }, undefined, 'x'), more.facets ?? facets),
    uses: (rule) => uses[rule] ?? [],
    ...more,
  }
}
const rule = (when: WireRule['when'], more: Partial<WireRule> = {}): WireRule => ({
  when,
  answer: {},
  ...more,
})

describe('an unscripted request', () => {
  test('is shown with the nearest rules, used-up ones apart', () => {
    const rules = [
      rule({ lastUser: 'stop', step: 7 }),
      rule({ lastUser: 'go', step: 1 }, { name: 'first' }),
      rule({ lastUser: { contains: 'g' }, turn: 1, step: 3 }),
      rule({ step: 4 }),
      rule({ step: 5 }),
    ]
    expect(explainUnscripted(miss(rules, [[], [4]])).split('\n')).toEqual([
      'no rule of wire.json matches request #9: firstUser "go", lastUser "go", turn 1, step 2, attempt 1',
      'nearest rules, counted from 0:',
      '  rule 2: lastUser matches, turn matches, step is not 3',
      '  rule 3: step is not 4',
      '  rule 4: step is not 5',
      '  and 1 more',
      'already consumed:',
      '  rule 1 "first" (used 1 of 1, last by request #4): lastUser matches, step is not 1',
      'add a rule for this request to wire.json, or find out why it was made',
    ])
  })

  test('is nearer to the rules of its own session than to those of others that miss as little', () => {
    const rules = [
      rule({ step: 7, lineage: { contains: '0/1' } }),
      rule({ step: 2, turn: 1, lastUser: 'go', lineage: '1' }),
      rule({ step: 1, lineage: '0' }),
    ]
    const text = explainUnscripted(miss(rules, [], { facets: { ...facets, lineage: '0' } }))
    expect(text.match(/^ {2}rule \d/gm)).toEqual(['  rule 2', '  rule 1', '  rule 0'])
  })

  test('is told apart where no lineage came and rules ask for one', () => {
    const rules = [rule({ lineage: '0', step: 1 })]
    const advice =
      /\nthe request names no lineage: .*sessionHeader.*\nadd a rule for this request to wire.json,/
    expect(explainUnscripted(miss(rules, []))).toMatch(advice)
    expect(
      explainUnscripted(miss(rules, [], { facets: { ...facets, lineage: '0' } })),
    ).not.toContain('names no lineage')
    expect(explainUnscripted(miss([rule({ step: 1 })], []))).not.toContain('names no lineage')
  })

  test('is shown without what there is not, long texts by both ends', () => {
    const long = `${'a'.repeat(150)}${'z'.repeat(150)}`
    const text = explainUnscripted(miss([], [], { facets: { ...facets, lastUser: long } }))
    expect(text.split('\n')).toEqual([
      `no rule of wire.json matches request #9: firstUser "go", lastUser "${'a'.repeat(79)} … ${'z'.repeat(79)}", turn 1, step 2, attempt 1`,
      'add a rule for this request to wire.json, or find out why it was made',
    ])
    const fits = 'a'.repeat(158)
    expect(explainUnscripted(miss([], [], { facets: { ...facets, lastUser: fits } }))).toContain(
      `lastUser "${fits}",`,
    )
  })
})

test('a used-up rule is named with who used it', () => {
  const it = miss([rule({}, { times: 2 })], [[3, 5]], { retryOf: 5 })
  const [only] = it.verdicts as [RuleVerdict]
  expect(explainConsumed(it, only).split('\n')).toEqual([
    'rule 0 of wire.json matches request #9, a retry of request #5: firstUser "go", lastUser "go", turn 1, step 2, attempt 1, but is already consumed',
    '  rule 0: used 2 of 2, last by request #5',
    'add a rule with "attempt" for a retry, raise "times", or find out why the request was made',
  ])
})

test('ambiguous rules are all named', () => {
  const it = miss([rule({}), rule({ step: 2 }), rule({ turn: 1 })], [[], [1]])
  expect(explainAmbiguous(it, it.verdicts).split('\n')).toEqual([
    '3 rules of wire.json match request #9: firstUser "go", lastUser "go", turn 1, step 2, attempt 1',
    'they are:',
    '  rule 0: matches anything',
    '  rule 1 (used 1 of 1, last by request #1): step matches',
    '  rule 2: turn matches',
    'tell them apart, for example by "step", "turn", "attempt" or "lineage"',
  ])
})
