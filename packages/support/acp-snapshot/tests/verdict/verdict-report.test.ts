import { expect, it } from 'vitest'
import { verdictJson, verdictReport } from '../../src/verdict/verdict-report.ts'
import type { Verdict } from '../../src/verdict/types.ts'

const lane = {
  lane: 0,
  file: 'session.jsonl',
  lineage: '0',
  boundBy: 'lineage',
  served: 1,
  left: 0,
}
const difference = { line: 4, path: 'data.a', expected: '1', actual: '2', eventType: 'x', call: 1 }
const red: Verdict = {
  scenario: 'one',
  status: 'failed',
  remedy: 'refresh',
  findings: [{ kind: 'log-differs', file: 'session.jsonl', difference }],
  lanes: [lane],
  logsCompared: 1,
  durationMs: 1,
  stderrTail: '',
  notices: [],
  runDir: '/tmp/run',
}

it('says as data what the text of a red says', () => {
  expect(JSON.parse(verdictJson(red))).toEqual({
    format: 1,
    ...red,
    cause: {
      kind: 'log-differs',
      why: 'the log says something else',
      lane,
      call: 1,
      difference: { file: 'session.jsonl', ...difference },
    },
    accept: {
      mode: 'refresh',
      command: 'pnpm run test:snapshot:refresh one',
      advice: 'keeps the recorded answers',
    },
  })
})

it('takes the words of the project', () => {
  const invocation = (mode: string) => `go ${mode}`
  expect(verdictReport(red, { invocation }).accept?.command).toBe('go refresh')
  expect(verdictReport(red, { command: 'go' }).accept?.command).toBe('go:refresh one')
  const both = verdictReport({ ...red, alternative: 'record' }, { invocation }).accept
  expect(both?.alternative?.command).toBe('go record')
})

it('has neither cause nor acceptance when green', () => {
  const { remedy: _none, runDir: _dir, ...rest } = red
  const green: Verdict = { ...rest, status: 'passed', findings: [] }
  expect(verdictReport(green)).toEqual({ format: 1, ...green })
})
