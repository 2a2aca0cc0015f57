import type { WireReport } from 'dsh-llm-wire'
import { describe, expect, it } from 'vitest'
import { blameFor, lostCalls, modelProblems } from '../../src/record/model-problem.ts'
import type { RunFault } from '../../src/run/types.ts'
import type { Finding } from '../../src/verdict/types.ts'
import { red } from '../verdict/red-verdict.ts'

const clean: WireReport = { ok: true, served: [], refused: [], unused: [] }
const served = { request: 1, rule: 0, attempt: 1, outcome: 'completed' } as const

it('has no problem with a report that is clean', () => {
  expect(modelProblems({ report: { ...clean, served: [served] } })).toEqual([])
})

it('names what was refused and what nobody asked for', () => {
  const report: WireReport = {
    ...clean,
    ok: false,
    refused: [
      { request: 2, code: 'unscripted', message: 'no rule' },
      { code: 'limit', message: 'too many' },
    ],
    unused: [
      { rule: 0, name: 'look', when: { lineage: '0', step: 2 }, used: 0, times: 1 },
      { rule: 1, when: {}, used: 1, times: 3 },
    ],
  }
  expect(modelProblems({ report })).toEqual([
    'the embedded model reports: refused request #2 (unscripted): no rule; ' +
      'refused request (limit): too many; ' +
      'rule 0 "look" of wire.json (counted from 0), when {"lineage":"0","step":2}, ' +
      'answered 0 of 1 requests: take it out, or find out why nothing asks for it; ' +
      'rule 1 of wire.json (counted from 0), when {}, ' +
      'answered 1 of 3 requests: take it out, or find out why nothing asks for it',
  ])
})

it('tells once what an agent asked for again and again', () => {
  const refusal = { code: 'unscripted', message: 'no rule' } as const
  const refused = [
    { ...refusal, request: 2, retryOf: 1 },
    { ...refusal, request: 3, retryOf: 2 },
    { ...refusal, request: 4, retryOf: 3 },
  ]
  expect(modelProblems({ report: { ...clean, ok: false, served: [served], refused } })).toEqual([
    'the embedded model reports: refused request #2 (unscripted): no rule',
  ])
})

it('says that there is no report', () => {
  expect(modelProblems({ failure: 'boom' })).toEqual(['the embedded model failed: boom'])
})

describe('of a run that failed', () => {
  const step: RunFault = { kind: 'step-failed', step: 2, op: 'prompt', message: 'HTTP 500' }
  const exit: RunFault = { kind: 'agent-exited', code: 1, signal: null }
  const failed = (...faults: RunFault[]) =>
    red(faults.map((fault): Finding => ({ kind: 'fault', fault })))
  const refusal = { request: 1, code: 'unscripted', message: 'no rule' } as const
  const unused = [{ rule: 0, when: {}, used: 0, times: 1 }]
  const refused: WireReport = { ...clean, ok: false, refused: [refusal], unused }

  it('a refusal is the cause, and a step that failed with it says no more', () => {
    const { problems, verdict } = blameFor({ report: refused }, failed(step))
    expect(problems).toEqual(modelProblems({ report: refused }))
    expect(verdict).toBeUndefined()
  })

  it('what else went wrong is told beside a refusal', () => {
    const { problems, verdict } = blameFor({ report: refused }, failed(step, exit))
    expect(problems).toHaveLength(1)
    expect(verdict).toEqual({ ...failed(step, exit), remedy: 'script' })
  })

  it('a rule that nobody came to ask for is no cause', () => {
    const report = { ...clean, ok: false, unused }
    const verdict = failed(exit)
    expect(blameFor({ report }, verdict)).toEqual({ problems: [], verdict })
    expect(blameFor(undefined, verdict)).toEqual({ problems: [], verdict })
  })

  it('a model that failed is told first', () => {
    const verdict = failed(step)
    const problems = ['the embedded model failed: boom']
    expect(blameFor({ failure: 'boom' }, verdict)).toEqual({ problems, verdict })
  })
})

it('case R1: every answered request must be a call of the logs', () => {
  const report = { ...clean, served: [served, served] }
  expect(lostCalls({ report }, 2)).toBeUndefined()
  // The third was aborted on its way out.
  expect(lostCalls({ report }, 3)).toBeUndefined()
  expect(lostCalls({ failure: 'x' }, 0)).toBeUndefined()
  expect(lostCalls({ report }, 1)).toMatch(
    /^the embedded model answered 2 calls, but the logs replay 1; /,
  )
})
