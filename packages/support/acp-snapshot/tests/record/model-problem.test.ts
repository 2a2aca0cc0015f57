import type { WireReport } from 'dsh-llm-wire'
import { expect, it } from 'vitest'
import { lostCalls, modelProblem } from '../../src/record/model-problem.ts'

const clean: WireReport = { ok: true, served: [], refused: [], unused: [] }
const served = { request: 1, rule: 0, attempt: 1, outcome: 'completed' } as const

it('has no problem with a report that is clean', () => {
  expect(modelProblem({ report: { ...clean, served: [served] } })).toBeUndefined()
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
      { rule: 0, name: 'look', when: {}, used: 0, times: 1 },
      { rule: 1, when: {}, used: 1, times: 3 },
    ],
  }
  expect(modelProblem({ report })).toBe(
    'the embedded model reports: refused request #2 (unscripted): no rule; ' +
      'refused request (limit): too many; ' +
      'rule 0 "look" answered 0 of 1 requests; rule 1 answered 1 of 3 requests',
  )
})

it('tells once what an agent asked for again and again', () => {
  const refusal = { code: 'unscripted', message: 'no rule' } as const
  const refused = [
    { ...refusal, request: 2, retryOf: 1 },
    { ...refusal, request: 3, retryOf: 2 },
    { ...refusal, request: 4, retryOf: 3 },
  ]
  expect(modelProblem({ report: { ...clean, ok: false, served: [served], refused } })).toBe(
    'the embedded model reports: refused request #2 (unscripted): no rule',
  )
})

it('says that there is no report', () => {
  expect(modelProblem({ failure: 'boom' })).toBe('the embedded model failed: boom')
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
