import { describe, expect, it } from 'vitest'
import type { JsonLine } from '../../src/cli/json-line.ts'
import { verdictReport } from '../../src/verdict/verdict-report.ts'
import type { Finding, RefusalFinding, RefusalKind } from '../../src/verdict/types.ts'
import type { RunFault } from '../../src/run/types.ts'
import { difference, lane, red } from '../verdict/red-verdict.ts'
import { printed, takes } from './printed.ts'

const file = 'session.jsonl'
const message = 'm'
// By kind, so that the compiler misses one that is added.
const FAULTS: { readonly [Kind in RunFault['kind']]: RunFault & { readonly kind: Kind } } = {
  'step-failed': { kind: 'step-failed', step: 0, op: 'prompt', message },
  'protocol-line': { kind: 'protocol-line', line: 1, text: 'x', problem: 'not-json' },
  'agent-exited': { kind: 'agent-exited', code: null, signal: 'SIGKILL', during: 'prompt' },
  'agent-not-started': { kind: 'agent-not-started', message },
  timeout: { kind: 'timeout', afterMs: 5, waitingFor: 'x' },
  interrupted: { kind: 'interrupted' },
  'descendants-left': { kind: 'descendants-left', processes: ['sleep (pid 5)'] },
  'output-too-large': { kind: 'output-too-large', stream: 'stdout', bytes: 5 },
  'report-unreadable': { kind: 'report-unreadable', message },
  'harvest-failed': { kind: 'harvest-failed', message },
}
const REFUSALS: { readonly [Kind in RefusalKind]: Omit<RefusalFinding, 'kind'> } = {
  'extra-call': { code: 'SCRIPT_EXHAUSTED', message, lane: 0, call: 2 },
  'unrecorded-session': { code: 'UNRECORDED_SESSION', message },
  'wrong-lane': { message, lane: 1 },
  'unrecorded-retry': { code: 'UNRECORDED_RETRY', message, lane: 0, call: 1 },
  'missing-retry': { code: 'MISSING_RETRY', message, lane: 0, call: 1 },
  poisoned: { code: 'LANE_POISONED', message, lane: 0, call: 3, calls: 2 },
  refused: { code: 'TOOL_REFUSED', message, lane: 0 },
}
type Other = Exclude<Finding['kind'], RefusalKind | 'fault'>
const OTHERS: { readonly [Kind in Other]: Finding & { readonly kind: Kind } } = {
  leftover: { kind: 'leftover', lane: 0, file, served: 1, left: 1 },
  'report-incomplete': { kind: 'report-incomplete', message },
  'report-differs': { kind: 'report-differs', message },
  'stdout-differs': { kind: 'stdout-differs', file, difference },
  'stdout-missing': { kind: 'stdout-missing', file },
  'log-differs': {
    kind: 'log-differs',
    file,
    difference: { ...difference, actual: undefined, shift: 'missing' },
  },
  'log-missing': { kind: 'log-missing', file },
  'log-extra': { kind: 'log-extra', session: '{{session.1}}', path: 'a', asked: 'c' },
  'log-unreadable': { kind: 'log-unreadable', path: 'a', message },
  'line-form': { kind: 'line-form', file, line: 1, message },
  'header-differs': { kind: 'header-differs', file, difference },
  'request-drift': {
    kind: 'request-drift',
    lane: 0,
    file,
    call: 1,
    path: 'a',
    expected: '1',
    actual: undefined,
  },
}
const FINDINGS: readonly Finding[] = [
  ...Object.values(FAULTS).map((fault): Finding => ({ kind: 'fault', fault })),
  ...Object.entries(REFUSALS).map(
    ([kind, more]): Finding => ({ kind: kind as RefusalKind, ...more }),
  ),
  ...Object.values(OTHERS),
]

describe('the schema of what --json prints', () => {
  it.each(FINDINGS)('takes a red of every kind: $kind $fault.kind', (finding) => {
    const report = verdictReport(red([finding]))
    expect(report.cause?.kind).toBe(finding.kind)
    expect(printed(JSON.stringify(report))).toMatchObject({ findings: [{ kind: finding.kind }] })
  })

  it('takes the tools that a run waited for, and nothing less than each is', () => {
    const pendingTools = [{ tool: 'bash', file, line: 7 }]
    const exited: Finding = { kind: 'fault', fault: FAULTS['agent-exited'] }
    const report = verdictReport(red([exited], { pendingTools }))
    expect(printed(JSON.stringify(report))).toMatchObject({ pendingTools })
    expect(takes({ ...report, pendingTools: [{ tool: 'bash' }] })).toBe(false)
  })

  it('takes keys that are added later, in every depth', () => {
    const report = verdictReport(red([{ kind: 'log-missing', file }]))
    const later = { ...report, lanes: [{ ...lane, later: 1 }], later: { a: [] } }
    expect(printed(JSON.stringify(later))).toEqual(later)
  })

  const { scenario, ...unnamed } = verdictReport(red([]))
  it.each<[string, unknown]>([
    ['another format', { ...unnamed, scenario, format: 2 }],
    ['no scenario', unnamed],
    ['a status that is none', { ...unnamed, scenario, status: 'green' }],
    ['a finding of no kind', verdictReport(red([{ kind: 'x' } as unknown as Finding]))],
    ['a fault of no kind', { ...unnamed, scenario, findings: [{ kind: 'fault', fault: {} }] }],
    ['a failure without reasons', { format: 1, scenario, status: 'failed' }],
    ['a skip without a reason', { format: 1, scenario, status: 'skipped' }],
  ])('refuses %s', (_what, line) => {
    expect(takes(line)).toBe(false)
  })

  it('takes what is no verdict', () => {
    const lines: JsonLine[] = [
      { format: 1, scenario, status: 'skipped', reason: 'authored' },
      { format: 1, scenario, status: 'failed', problems: ['no input.json'] },
    ]
    for (const line of lines) expect(printed(JSON.stringify(line))).toEqual(line)
  })
})
