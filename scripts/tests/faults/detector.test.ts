import { describe, expect, it } from 'vitest'
import { batchesFor, guardBatches } from '../../faults/detector.mjs'
import type { Area, Fault, Guard } from '../../faults/types.ts'

const fault = (area: Area, more: Partial<Fault> = {}): Fault => ({
  name: 'f',
  area,
  package: 'p/q',
  edits: [],
  ...more,
})
const guard = (name: string, agent?: string): Guard => ({
  name,
  scenario: 'text-turn',
  expect: 'passed',
  ...(agent !== undefined && { agent }),
})
const scenarios = ['cancel', 'fs-edit', 'load', 'subagent-mixed', 'text-turn']
const guards = [guard('a'), guard('b', 'noisy'), guard('c'), guard('d', 'noisy')]
const short = (each: Fault) =>
  batchesFor(each, scenarios, guards).map(({ kind, names, agent }) =>
    [kind, ...names, ...(agent === undefined ? [] : [`by ${agent}`])].join(' '),
  )

describe('where a fault is looked for', () => {
  it('is the tier for a fault of an agent, the telling scenarios first', () => {
    expect(short(fault('loop'))).toEqual([
      'tier cancel fs-edit subagent-mixed',
      'tier load text-turn',
    ])
    expect(short(fault('store', { scenarios: ['load', 'gone'] }))).toEqual([
      'tier load',
      'tier cancel fs-edit subagent-mixed text-turn',
    ])
  })

  it('is the known verdicts too for a fault of replay', () => {
    expect(short(fault('replay', { guards: ['c'] }))).toEqual([
      'guards c',
      'guards a',
      'guards b d by noisy',
      'tier cancel fs-edit load subagent-mixed text-turn',
    ])
  })

  it('is what people read, last, for a fault of the harness', () => {
    expect(short(fault('harness')).at(-1)).toBe('words a c')
  })

  it('is one run for all that have one agent', () => {
    expect(guardBatches(guards)).toEqual([
      { kind: 'guards', names: ['a', 'c'], agent: undefined },
      { kind: 'guards', names: ['b', 'd'], agent: 'noisy' },
    ])
  })
})
