import { expect, it } from 'vitest'
import { remedyFor } from '../../src/verdict/remedy.ts'
import type { RunFault } from '../../src/run/types.ts'
import type { Finding } from '../../src/verdict/types.ts'

const difference = { line: 1, path: 'x', expected: '1', actual: '2' }
const differs = (eventType: string): Finding => {
  return { kind: 'log-differs', file: 'session.jsonl', difference: { ...difference, eventType } }
}
const said: Finding = { kind: 'stdout-differs', file: 'stdout.expected.jsonl', difference }
const extra: Finding = { kind: 'extra-call', code: 'SCRIPT_EXHAUSTED', message: 'm' }
const left: Finding = { kind: 'leftover', lane: 0, file: 'session.jsonl', served: 1, left: 1 }
const fault = (each: RunFault): Finding => ({ kind: 'fault', fault: each })
const step = fault({ kind: 'step-failed', step: 1, op: 'prompt', message: 'm' })
const remedy = (...findings: Finding[]) => remedyFor(findings, 'wire').remedy

it('is to refresh where replay itself had no complaint', () => {
  expect(remedyFor([said], 'wire')).toEqual({ remedy: 'refresh' })
  expect(remedyFor([differs('turn/end')], 'api')).toEqual({ remedy: 'refresh' })
})

it.each([
  'user/message',
  'steering/message',
  'tool/result',
  'request/header',
  'request/header-delta',
])('names re-recording beside it where the model is shown another %s', (type) => {
  const both = { remedy: 'refresh', alternative: 'record' }
  expect(remedyFor([said, differs(type)], 'api')).toEqual(both)
  expect(remedyFor([differs(type)], 'authored')).toEqual({ remedy: 'refresh' })
})

it('names it for a pinned header too', () => {
  const header: Finding = { kind: 'header-differs', file: 'system.expected.txt', difference }
  expect(remedyFor([header], 'wire')).toEqual({ remedy: 'refresh', alternative: 'record' })
})

it('is to re-record where other model calls are made than recorded', () => {
  expect(remedyFor([extra, said], 'wire')).toEqual({ remedy: 'record' })
  expect(remedyFor([left, differs('user/message')], 'api')).toEqual({ remedy: 'record' })
  expect(remedyFor([extra], 'authored')).toEqual({ remedy: 'by-hand' })
})

it('acts on a refusal that brought a run to its end', () => {
  const incomplete: Finding = { kind: 'report-incomplete', message: 'm' }
  const exit = fault({ kind: 'agent-exited', code: 1, signal: null })
  const timeout = fault({ kind: 'timeout', afterMs: 1, waitingFor: 'x' })
  for (const after of [step, exit, timeout, incomplete]) {
    expect(remedy(extra, after)).toBe('record')
    expect(remedy(after, left)).toBe('fix')
  }
})

it('is of the agent where only what it asks the model is another, and of the logs where these are', () => {
  const drift: Finding = {
    kind: 'request-drift',
    lane: 0,
    file: 'session.jsonl',
    call: 1,
    path: 'system',
    expected: '1',
    actual: '2',
  }
  expect(remedyFor([drift], 'wire')).toEqual({ remedy: 'requests' })
  expect(remedy(said, drift)).toBe('requests')
  expect(remedyFor([differs('tool/result'), drift], 'wire')).toEqual({
    remedy: 'refresh',
    alternative: 'record',
  })
  expect(remedy({ kind: 'log-missing', file: 'f' }, drift)).toBe('refresh')
  expect(remedy({ kind: 'log-extra', session: 's', path: 'p' }, drift)).toBe('refresh')
  expect(remedy(left, drift)).toBe('record')
  expect(remedy(step, drift)).toBe('fix')
})

it('is a repair for what no recording would mend', () => {
  const line = fault({ kind: 'protocol-line', line: 1, text: 'x' })
  const form: Finding = { kind: 'line-form', file: 'stdout', line: 1, message: 'm' }
  for (const broken of [line, form]) expect(remedy(extra, broken)).toBe('fix')
  expect(remedy({ kind: 'report-differs', message: 'm' })).toBe('fix')
  expect(remedy({ kind: 'log-unreadable', path: 'p', message: 'm' })).toBe('fix')
  expect(remedy({ kind: 'wrong-lane', message: 'm' })).toBe('fix')
  for (const code of ['UNRECORDED_PURPOSE', 'TOOL_NOT_OFFERED', 'TOOL_REFUSED'] as const) {
    expect(remedy({ kind: 'refused', code, message: 'm' })).toBe('fix')
  }
  expect(remedy({ kind: 'refused', code: 'TOOL_NOT_RECORDED', message: 'm' })).toBe('record')
})
