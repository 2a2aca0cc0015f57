import { describe, expect, it } from 'vitest'
import { problemsOf, standing, tableOf } from '../../faults/judgement.mjs'
import type { Fault, Outcome } from '../../faults/types.ts'

const base = { area: 'loop' as const, package: 'core/agent', edits: [] }
const chosen: Fault = { ...base, name: 'drop it', expect: ['leftover'] }
const drawn: Fault = { ...base, name: 'a.ts:1', operator: 'drop-await', change: 'await f() → f()' }
const equal = { equal: true, text: '3 scenarios' }
const outcome = (fault: Fault, rest: Partial<Outcome> = {}): Outcome => ({
  fault,
  seconds: 1,
  ...rest,
})

describe('what became of a fault', () => {
  it.each([
    [outcome(chosen, { label: 'leftover' }), 'detected'],
    [outcome(chosen, { label: 'extra-call' }), 'misnamed'],
    [outcome(chosen, { same: equal }), 'survived'],
    [outcome(drawn, { label: 'anything' }), 'detected'],
    [outcome(drawn, { same: equal }), 'equal'],
    [outcome(drawn, { same: { equal: false, text: 'x' } }), 'survived'],
    [outcome(drawn), 'survived'],
  ])('%#', (each, expected) => {
    expect(standing(each)).toBe(expected)
  })
})

describe('the targets', () => {
  const detected = (fault: Fault, count: number) =>
    Array.from({ length: count }, () => outcome(fault, { label: 'leftover' }))

  it('hold for enough faults that are called what they are', () => {
    const outcomes = [...detected(chosen, 30), ...detected(drawn, 27)]
    outcomes.push(...Array.from({ length: 6 }, () => outcome(drawn, { same: equal })))
    expect(problemsOf(outcomes, { whole: true })).toEqual([])
  })

  it('name everything that was missed', () => {
    const outcomes = [
      outcome(chosen, { label: 'extra-call' }),
      outcome(drawn, { same: { equal: false, text: 'line 3' } }),
      outcome(chosen),
      outcome(drawn, { same: equal }),
    ]
    const found = [
      '"drop it" was reported as extra-call, expected leftover',
      '"a.ts:1" was not detected: line 3',
      '"drop it" was not detected: nothing was compared',
    ]
    expect(problemsOf(outcomes, { whole: false })).toEqual(found)
    expect(problemsOf(outcomes, { whole: true })).toEqual([
      ...found,
      '4 faults, expected 60',
      '2 drawn faults, expected 30',
      '1 of 4 faults change nothing, at most a tenth may',
    ])
  })
})

describe('the table', () => {
  it('has a row for each, the survivors with what was compared, and the sums', () => {
    const outcomes = [
      outcome(chosen, { label: 'leftover', by: 'text-turn' }),
      outcome(drawn, { same: equal }),
      outcome(chosen),
    ]
    expect(tableOf(outcomes)).toEqual([
      'detected  loop  drop it  leftover  text-turn',
      'equal     loop  a.ts:1',
      'survived  loop  drop it',
      'a.ts:1: await f() → f()',
      '  nothing changes: 3 scenarios',
      'drop it: chosen',
      '  CHANGES: not compared',
      '1 of 3 faults detected (1 drawn, 2 chosen), 0 misnamed, 1 change nothing, 1 missed',
    ])
  })
})
