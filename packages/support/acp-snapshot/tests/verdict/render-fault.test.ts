import { describe, expect, it } from 'vitest'
import { renderVerdict } from '../../src/verdict/render.ts'
import type { Finding, Verdict } from '../../src/verdict/types.ts'
import { difference, labelled, lane, lines, primary } from './red-verdict.ts'

const red = (message: string): Verdict => ({
  scenario: 'one',
  status: 'failed',
  remedy: 'fix',
  findings: [{ kind: 'fault', fault: { kind: 'agent-not-started', message } }],
  lanes: [],
  logsCompared: 0,
  durationMs: 1,
  stderrTail: '',
  notices: [],
})

it('tells the fault in full, over as many rows as it takes', () => {
  const text = renderVerdict(red(`no luck with ${'word '.repeat(20)}end`), { width: 60 })
  const rows = text.split('\n').slice(1, -2)
  expect(rows.every((row) => row.length <= 60)).toBe(true)
  expect(rows.map((row) => row.slice(12)).join(' ')).toBe(
    `the agent did not start: no luck with ${'word '.repeat(20)}end`,
  )
  expect(rows[0]).toMatch(/^ {2}why {7}the agent/)
  expect(rows[1]).toMatch(/^ {12}\S/)
})

it('cuts a word that fits no row, and a fault without end', () => {
  const rows = renderVerdict(red('x'.repeat(5_000)), { width: 60 }).split('\n')
  expect(rows.length).toBeLessThan(20)
  expect(rows.at(-3)).toMatch(/x…$/)
})

describe('the lane of a fault', () => {
  const exited: Finding = {
    kind: 'fault',
    fault: { kind: 'agent-exited', code: 3, signal: null, during: 'x' },
  }

  it('is that of the last answered call', () => {
    expect(lines([exited], { lastCall: { lane: 1, call: 2 }, remedy: 'fix' })).toEqual([
      '✗ subagent-multi: fault, agent-exited (1 finding)',
      '  why       the agent exited with code 3 while waiting for x',
      '  lane      1 (session.1.jsonl, lineage 0/1.2.0.0), bound by lineage, 2 of 2 calls served',
      '  call      2, the last that was answered',
      '  accept    nothing to accept: the agent must not end by itself, and it says nothing on stderr',
      '  run       /tmp/run',
    ])
  })

  it('stands with what the client was to hear next, and not with what is missing since', () => {
    const next: Finding = {
      kind: 'stdout-differs',
      file: 'stdout.expected.jsonl',
      difference: {
        line: 8,
        path: '',
        expected: '{"method":"session/update","params":{"update":{"sessionUpdate":"plan"}}}',
        actual: undefined,
      },
    }
    const left: Finding = { kind: 'leftover', lane: 1, file: lane.file, served: 2, left: 1 }
    const missing: Finding = { kind: 'log-missing', file: lane.file }
    const own: Finding = { kind: 'fault', fault: { kind: 'descendants-left', processes: ['x'] } }
    const findings = [exited, left, own, missing, next, missing]
    expect(lines(findings, { lastCall: { lane: 1, call: 2 }, remedy: 'fix' }).slice(2, -2)).toEqual(
      [
        '  lane      1 (session.1.jsonl, lineage 0/1.2.0.0), bound by lineage, 2 of 2 calls served',
        '  call      2, the last that was answered',
        '  next      stdout.expected.jsonl:8 plan {}',
        '  also      fault: processes were left behind and killed: x',
        '  also      since it was cut short: leftover, log-missing, stdout-differs',
      ],
    )
    // Before any call there is nothing that it could have come to.
    expect(lines(findings, { remedy: 'fix' }).slice(2, -2)).toEqual([
      '  also      fault: processes were left behind and killed: x',
      '  also      since it was cut short: leftover, log-missing, stdout-differs',
    ])
    const shifted: Finding = {
      ...next,
      difference: { ...next.difference, path: 'result.sessionId', actual: '"{{session.1}}"' },
    } as Finding
    const elsewhere = lines([exited, shifted, missing], { lastCall: { lane: 1, call: 2 } })
    expect(labelled('next', elsewhere.join('\n'))).toEqual([])
    const differs: Finding = { ...next, difference: { ...difference, eventType: 'x' } }
    const text = lines([exited, differs], { lastCall: { lane: 1, call: 2 } }).join('\n')
    expect(labelled('next', text)).toEqual([])
    expect(labelled('differs', text)).toHaveLength(1)
  })

  it('is the only one, or none', () => {
    const only = lines([exited], { lanes: [primary] })
    expect(only[2]).toBe('  lane      0 (session.jsonl), bound by primary, 1 of 2 calls served')
    expect(only[3]).toMatch(/^ {2}accept/)
    expect(labelled('lane', lines([exited]).join('\n'))).toEqual([])
  })
})

it('names the tools that a run was cut short in, and sends people to the innermost', () => {
  const exited: Finding = { kind: 'fault', fault: { kind: 'agent-exited', code: 3, signal: null } }
  const pendingTools = [
    { tool: 'subagent', file: 'a.jsonl', line: 9 },
    { tool: 'bash', file: 'b.jsonl', line: 7 },
  ]
  const text = lines([exited], { pendingTools, remedy: 'fix' }).join('\n')
  expect(labelled('pending', text)).toEqual(['  pending   subagent (a.jsonl:9), bash (b.jsonl:7)'])
  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    'look for process.exit in bash, and in what it runs',
  )
  const many = pendingTools.map((each) => ({ ...each, tool: each.tool.repeat(40) }))
  expect(lines([exited], { pendingTools: many, remedy: 'fix' })).toHaveLength(8)
  expect(labelled('pending', lines([exited]).join('\n'))).toEqual([])
})
