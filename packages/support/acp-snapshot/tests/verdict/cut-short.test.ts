import { describe, expect, it } from 'vitest'
import type { RunFault } from '../../src/run/types.ts'
import { withoutCutOff } from '../../src/verdict/cut-short.ts'
import type { Finding } from '../../src/verdict/types.ts'

const fault = (fault: RunFault): Finding => ({ kind: 'fault', fault })
const exited = fault({ kind: 'agent-exited', code: 1, signal: null })
const ends = { line: 8, path: '', expected: '{}', actual: undefined }
const lost: Finding = { kind: 'log-missing', file: 'session.jsonl' }
const header: Finding = { kind: 'header-differs', file: 'system.expected.txt', difference: ends }
const cutOff: Finding[] = [
  { kind: 'leftover', lane: 0, file: 'session.jsonl', served: 1, left: 1 },
  { kind: 'report-incomplete', message: 'm' },
  { kind: 'log-differs', file: 'session.1.jsonl', difference: ends },
  { kind: 'stdout-differs', file: 'stdout.expected.jsonl', difference: ends },
]

describe('findings of a run that was cut short', () => {
  it.each<RunFault>([
    { kind: 'agent-exited', code: null, signal: 'SIGKILL' },
    { kind: 'agent-not-started', message: 'm' },
    { kind: 'timeout', afterMs: 1, waitingFor: 'w' },
    { kind: 'output-too-large', stream: 'stdout', lines: 1 },
  ])('are not the cause that $kind is', (kind) => {
    expect(withoutCutOff([fault(kind), ...cutOff, lost, header])).toEqual([fault(kind)])
  })

  it('tell something where they say more than that it ended', () => {
    const telling: Finding[] = [
      exited,
      { kind: 'log-differs', file: 'f', difference: { ...ends, actual: '{}' } },
      { kind: 'stdout-differs', file: 'f', difference: { ...ends, path: 'params' } },
      { kind: 'log-extra', session: 's', path: 'p' },
      header,
    ]
    expect(withoutCutOff(telling)).toEqual(telling)
  })

  it('are not those of a child that stands in the place of its parent, whose log is not there', () => {
    const header = { ...ends, line: 1, path: 'root', expected: '0' }
    const shifted: Finding[] = [
      { kind: 'log-differs', file: 'session.jsonl', difference: header },
      {
        kind: 'stdout-differs',
        file: 'stdout.expected.jsonl',
        difference: { ...ends, path: 'result.sessionId', actual: '"{{session.1}}"' },
      },
    ]
    expect(withoutCutOff([exited, ...shifted, lost])).toEqual([exited])
    expect(withoutCutOff([exited, ...shifted])).toEqual([exited, ...shifted])
    const other: Finding = {
      kind: 'stdout-differs',
      file: 'stdout.expected.jsonl',
      difference: { ...ends, path: 'params.sessionIdea', actual: '1' },
    }
    expect(withoutCutOff([exited, other, lost])).toEqual([exited, other])
  })

  it('are all told where the run had its time, or nothing went wrong with it', () => {
    const left = fault({ kind: 'descendants-left', processes: ['sleep'] })
    expect(withoutCutOff([left, ...cutOff])).toEqual([left, ...cutOff])
    expect(withoutCutOff(cutOff)).toEqual(cutOff)
    expect(withoutCutOff([...cutOff, exited])).toEqual([...cutOff, exited])
    expect(withoutCutOff([])).toEqual([])
  })
})
