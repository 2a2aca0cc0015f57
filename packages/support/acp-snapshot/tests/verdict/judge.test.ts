import type { ReportRecord } from 'dsh-llm-replay'
import { describe, expect, it } from 'vitest'
import type { RunFault, RunResult } from '../../src/run/types.ts'
import type { Expected } from '../../src/verdict/expected.ts'
import { judge } from '../../src/verdict/judge.ts'
import { header, jsonl } from '../temp.ts'
import { runResult, scenario } from './run-result.ts'

const S = '00000000-aaaa-4aaa-8aaa-000000000000'
const C = '11111111-aaaa-4aaa-8aaa-111111111111'
const turn = { type: 'turn/start', seq: 0, time: 5, data: { turn: 1 } }
const live = { path: 'p/a', text: jsonl(header(S, { createdAt: 9, cwd: '/run/cwd' }), turn) }
const fixture = jsonl(header('{{session}}', { cwd: '{{cwd}}' }), { ...turn, time: 0 })
const report: ReportRecord[] = [
  { event: 'loaded', lane: 0, file: '/s/session.jsonl', calls: 1 },
  { event: 'bound', lane: 0, session: S, rule: 'primary' },
  { event: 'served', lane: 0, session: S, call: 1 },
  { event: 'left', lane: 0, served: 1, left: 0 },
]
const good = { sessionLogs: [live], report, sessionIds: [S], stdout: [`{"id":7,"result":"${S}"}`] }
const expected: Expected = {
  logs: [{ name: 'session.jsonl', text: fixture }],
  lanes: [{ file: 'session.jsonl', calls: 1, lineage: '0' }],
  stdout: '{"id":1,"result":"{{session}}"}\n',
}
const kinds = (verdict: ReturnType<typeof judge>) => verdict.findings.map((finding) => finding.kind)

it('passes what is as it was', () => {
  expect(judge(scenario(), expected, runResult(good))).toEqual({
    scenario: 's',
    source: 'authored',
    status: 'passed',
    lastCall: { lane: 0, call: 1 },
    findings: [],
    lanes: [
      { lane: 0, file: 'session.jsonl', lineage: '0', boundBy: 'primary', served: 1, left: 0 },
    ],
    notices: [],
    logsCompared: 1,
    durationMs: 12.4,
    stderrTail: '',
  })
})

it('takes a raw harvested log for a fixture', () => {
  const raw = jsonl(header(C, { createdAt: 99, cwd: '/elsewhere' }), { ...turn, time: 77 })
  const logs = [{ name: 'session.jsonl', text: raw }]
  expect(judge(scenario(), { ...expected, logs }, runResult(good)).status).toBe('passed')
})

it('names differences in logs and stdout, and keeps the run', () => {
  const stdout = ['{"id":7,"result":"other"}']
  const sessionLogs = [{ ...live, text: live.text.replace('"turn":1', '"turn":2') }]
  const verdict = judge(scenario(), expected, runResult({ ...good, stdout, sessionLogs }))
  expect(verdict).toMatchObject({
    status: 'failed',
    remedy: 'refresh',
    runDir: '/run',
    findings: [
      {
        kind: 'log-differs',
        file: 'session.jsonl',
        difference: { line: 2, path: 'data.turn', expected: '1', actual: '2' },
      },
      {
        kind: 'stdout-differs',
        file: 'stdout.expected.jsonl',
        difference: { line: 1, path: 'result' },
      },
    ],
  })
})

it('misses a transcript that was never committed', () => {
  const verdict = judge(scenario(), { logs: expected.logs, lanes: expected.lanes }, runResult(good))
  expect(verdict.findings).toEqual([{ kind: 'stdout-missing', file: 'stdout.expected.jsonl' }])
  expect(verdict.remedy).toBe('refresh')
})

it('puts logs that are missing or too many before differences', () => {
  const other = { path: 'p/b', text: jsonl(header(C, { createdAt: 10 }), turn) }
  const changed = { ...live, text: live.text.replace('"turn":1', '"turn":2') }
  const verdict = judge(scenario(), expected, runResult({ ...good, sessionLogs: [changed, other] }))
  expect(kinds(verdict)).toEqual(['log-extra', 'log-differs'])
})

it('case R13: tells a swapped parent and child apart', () => {
  const child = (id: string, parentSession: string) => jsonl(header(id, { parentSession }), turn)
  const logs = [
    { name: 'session.jsonl', text: fixture },
    {
      name: 'session.1.jsonl',
      text: child('{{session.1}}', '{{session}}').replace('"createdAt":0', '"createdAt":1'),
    },
  ]
  const said = (id: string) => [`{"result":"${id}"}`]
  const sessionLogs = [live, { path: 'p/c', text: child(C, S) }]
  const judged = (id: string) =>
    kinds(
      judge(
        scenario(),
        {
          lanes: expected.lanes,
          logs: logs.map((log) => ({ ...log, text: log.text.replace('"time":5', '"time":0') })),
          stdout: '{"result":"{{session.1}}"}\n',
        },
        runResult({ ...good, sessionLogs, stdout: said(id) }),
      ),
    )
  expect(judged(C)).toEqual([])
  expect(judged(S)).toEqual(['stdout-differs'])
})

describe('case R7: the report decides, whatever the agent said', () => {
  const refused: ReportRecord = {
    event: 'refused',
    code: 'SCRIPT_EXHAUSTED',
    message: 'm',
    session: S,
  }

  it('fails on a refusal though all outputs agree', () => {
    const verdict = judge(
      scenario(),
      expected,
      runResult({ ...good, report: [...report, refused] }),
    )
    expect(kinds(verdict)).toEqual(['extra-call'])
    expect(verdict.remedy).toBe('by-hand')
  })

  it('asks for a recording where the scenario has a source', () => {
    const api = scenario({ input: { steps: [], source: 'api' } })
    const verdict = judge(api, expected, runResult({ ...good, report: [...report, refused] }))
    expect(verdict.remedy).toBe('record')
  })

  it('fails on a leftover though all outputs agree', () => {
    const short: ReportRecord[] = [
      ...report.slice(0, 2),
      { event: 'left', lane: 0, served: 0, left: 1 },
    ]
    const wire = scenario({ input: { steps: [], source: 'wire' } })
    const verdict = judge(wire, expected, runResult({ ...good, report: short }))
    expect(kinds(verdict)).toEqual(['leftover'])
    expect(verdict.remedy).toBe('record')
  })

  it('fails without a report, or with one that has no end', () => {
    const none = judge(scenario(), expected, runResult({ ...good, report: [] }))
    expect(kinds(none)).toEqual(['report-incomplete'])
    expect(none.remedy).toBe('fix')
    const open = judge(scenario(), expected, runResult({ ...good, report: report.slice(0, -1) }))
    expect(kinds(open)).toEqual(['report-incomplete'])
  })

  const kill: RunFault = { kind: 'timeout', afterMs: 5, waitingFor: 'x' }
  it.each<[RunFault, boolean]>([
    [kill, true],
    [{ kind: 'agent-exited', code: 1, signal: null }, true],
    [{ kind: 'agent-not-started', message: 'm' }, true],
    [{ kind: 'interrupted' }, true],
    [{ kind: 'output-too-large', stream: 'stdout', bytes: 1 }, true],
    [{ kind: 'report-unreadable', message: 'm' }, true],
    [{ kind: 'step-failed', step: 1, op: 'prompt', message: 'm' }, false],
    [{ kind: 'protocol-line', line: 3, text: 'x' }, false],
    [{ kind: 'descendants-left', processes: ['x'] }, false],
    [{ kind: 'harvest-failed', message: 'm' }, false],
  ])('after %j an open report is excused: %j', (fault, excused) => {
    const result = runResult({ ...good, report: report.slice(0, -1), faults: [fault] })
    const verdict = judge(scenario(), expected, result)
    expect(verdict.findings[0]).toEqual({ kind: 'fault', fault })
    expect(kinds(verdict).includes('report-incomplete')).toBe(!excused)
    expect(verdict.remedy).toBe('fix')
  })

  it.each<[RunFault, object]>([
    [kill, { pendingTools: [{ tool: 'bash', file: 'stdout.expected.jsonl', line: 1 }] }],
    [{ kind: 'step-failed', step: 1, op: 'prompt', message: 'm' }, {}],
  ])('after %j the tools that it waited for are told: %j', (fault, told) => {
    const update = { sessionUpdate: 'tool_call', toolCallId: 'a', title: 'bash' }
    const stdout = [JSON.stringify({ method: 'session/update', params: { update } })]
    const { pendingTools } = judge(scenario(), expected, runResult({ stdout, faults: [fault] }))
    expect({ ...(pendingTools && { pendingTools }) }).toEqual(told)
    const idle = judge(scenario(), expected, runResult({ faults: [fault] }))
    expect('pendingTools' in idle).toBe(false)
  })

  it('acts on a refusal that also failed a step, and names it first', () => {
    const faults: RunFault[] = [{ kind: 'step-failed', step: 1, op: 'prompt', message: 'm' }]
    const verdict = judge(
      scenario(),
      expected,
      runResult({ ...good, faults, report: [...report, refused] }),
    )
    expect(kinds(verdict)).toEqual(['extra-call', 'fault'])
    expect(verdict.remedy).toBe('by-hand')
  })
})

it('names each line that is no protocol once', () => {
  const faults: RunFault[] = [
    { kind: 'protocol-line', line: 1, text: 'he' },
    { kind: 'interrupted' },
  ]
  const stdout = ['hello', ...good.stdout, 'world']
  const verdict = judge(scenario(), expected, runResult({ ...good, stdout, faults }))
  expect(verdict.findings).toEqual([
    { kind: 'fault', fault: faults[0] },
    { kind: 'fault', fault: faults[1] },
    { kind: 'fault', fault: { kind: 'protocol-line', line: 3, text: 'world' } },
  ])
})

it('fails on a log that cannot be read, with nothing to accept', () => {
  const sessionLogs = [live, { path: 'x', text: '', problem: 'x: stranger' }]
  const verdict = judge(scenario(), expected, runResult({ ...good, sessionLogs }))
  expect(kinds(verdict)).toEqual(['log-unreadable'])
  expect(verdict.remedy).toBe('fix')
})

it('compares pinned headers, in the log and in the readable files', () => {
  const request = (system: string) => ({
    type: 'request/header',
    seq: 1,
    time: 0,
    data: { header: { config: {}, system, tools: [{ name: 'a' }] }, reason: 'initial' },
  })
  const pins = scenario({ pinnedHeader: { systemFile: '/s/a', toolsFile: '/s/b' } })
  const wanted: Expected = {
    ...expected,
    logs: [{ name: 'session.jsonl', text: fixture + jsonl(request('in {{cwd}}\nsecond')) }],
    pinned: { system: 'in {{cwd}}\nsecond\n', tools: '[\n  {\n    "name": "a"\n  }\n]\n' },
  }
  const run = (system: string) =>
    runResult({ ...good, sessionLogs: [{ ...live, text: live.text + jsonl(request(system)) }] })
  expect(judge(pins, wanted, run('in /run/cwd\nsecond')).findings).toEqual([])
  expect(judge(pins, wanted, run('in /run/cwd\nother')).findings).toEqual([
    {
      kind: 'header-differs',
      file: 'system.expected.txt',
      difference: { line: 2, path: '', expected: '"second"', actual: '"other"' },
    },
    expect.objectContaining({ kind: 'log-differs' }),
  ])
  const tools = { ...wanted, pinned: { system: 'in {{cwd}}\nsecond\n', tools: '[]\n' } }
  expect(judge(pins, tools, run('in /run/cwd\nsecond')).findings).toEqual([
    expect.objectContaining({ kind: 'header-differs', file: 'tools.expected.json' }),
  ])
  expect(kinds(judge(pins, wanted, runResult(good)))).toEqual([
    'header-differs',
    'header-differs',
    'log-differs',
  ])
  expect(kinds(judge(pins, wanted, runResult({ ...good, sessionLogs: [] })))).toEqual([
    'log-missing',
    'header-differs',
    'header-differs',
  ])
})

it('tells the lineage of a lane', () => {
  const told = report.map((record) =>
    record.event === 'loaded' ? { ...record, lineage: '0' } : record,
  )
  const verdict = judge(scenario(), expected, runResult({ ...good, report: told }))
  expect(verdict.lanes[0]?.lineage).toBe('0')
})

it('judges a recording by its faults alone', () => {
  const recorded = runResult({ ...good, mode: 'record', report: [], stdout: [] })
  const empty = { logs: [], lanes: [] }
  expect(judge(scenario({ logFiles: [] }), empty, recorded)).toMatchObject({
    status: 'passed',
    logsCompared: 0,
    lanes: [],
  })
  const faults: RunFault[] = [{ kind: 'interrupted' }]
  expect(judge(scenario(), expected, { ...recorded, report, faults }).findings).toEqual([
    { kind: 'fault', fault: { kind: 'interrupted' } },
  ])
})

it('refuses expected logs that it cannot read', () => {
  const logs = [{ name: 'session.jsonl', text: 'x' }]
  expect(() => judge(scenario(), { ...expected, logs }, runResult(good))).toThrow(
    'log 1: line 1 is not JSON',
  )
})

it('says what people have to know, and names no folder that is gone', () => {
  const notices = ['commands keep their network']
  expect(judge(scenario(), expected, runResult({ ...good, notices })).notices).toBe(notices)
  const interrupted = runResult({ ...good, faults: [{ kind: 'interrupted' }] })
  const verdict = judge(scenario(), expected, interrupted)
  expect(verdict.status).toBe('failed')
  expect(verdict).not.toHaveProperty('runDir')
})

it('asks for a repair where a line has a form in which it may get lost', () => {
  const sessionLogs = [{ ...live, text: live.text.trimEnd() }]
  const verdict = judge(scenario(), expected, runResult({ ...good, sessionLogs }))
  expect(verdict).toMatchObject({ remedy: 'fix', findings: [{ kind: 'line-form', file: 'p/a' }] })
})

it('says how far a run got, over all lanes', () => {
  const served = (lane: number, call: number): ReportRecord => {
    return { event: 'served', lane, session: S, call }
  }
  const told = [...report.slice(0, 2), served(1, 4), served(0, 1), ...report.slice(-1)]
  const lastCall = (more: Partial<RunResult>) =>
    judge(scenario(), expected, runResult({ ...good, ...more })).lastCall
  expect(lastCall({ report: told })).toEqual({ lane: 0, call: 1 })
  expect(lastCall({ report: [] })).toBeUndefined()
  expect(lastCall({ report: told, mode: 'record' })).toBeUndefined()
})

it('speaks of sessions by their tokens and of files by their names', () => {
  const message = `session ${S} in /s/session.jsonl`
  const refused: ReportRecord = { event: 'refused', code: 'SCRIPT_EXHAUSTED', message, session: S }
  const faults: RunFault[] = [{ kind: 'step-failed', step: 1, op: 'prompt', message }]
  const result = runResult({ ...good, report: [...report, refused], faults })
  const text = 'session {{session}} in session.jsonl'
  expect(judge(scenario(), expected, result).findings).toEqual([
    { kind: 'extra-call', code: 'SCRIPT_EXHAUSTED', message: text },
    { kind: 'fault', fault: { ...faults[0], message: text } },
  ])
})

it('takes no short id for a word', () => {
  const message = 'call 1 of 1'
  const refused: ReportRecord = {
    event: 'refused',
    code: 'SCRIPT_EXHAUSTED',
    message,
    session: '1',
  }
  const result = runResult({ ...good, report: [...report, refused], sessionIds: ['1'] })
  expect(judge(scenario(), expected, result).findings[0]).toMatchObject({ message })
})

describe('a request that is not the recorded one', () => {
  const drifted: ReportRecord = { event: 'drifted', lane: 0, session: S, call: 1, path: 'system' }
  const drift = (more: Partial<RunResult> = {}) =>
    judge(scenario(), expected, runResult({ ...good, report: [...report, drifted], ...more }))

  it('case R7: fails though all outputs agree, with nothing to accept', () => {
    expect(kinds(drift())).toEqual(['request-drift'])
    expect(drift().remedy).toBe('requests')
    const stdout = drift({ stdout: ['{"result":"other"}'] })
    expect(kinds(stdout)).toEqual(['stdout-differs', 'request-drift'])
    expect(stdout.remedy).toBe('requests')
  })

  it('comes last where the logs differ, and goes with them', () => {
    const changed = { ...live, text: live.text.replace('"turn":1', '"turn":2') }
    const verdict = drift({ sessionLogs: [changed] })
    expect(kinds(verdict)).toEqual(['log-differs', 'request-drift'])
    expect(verdict.remedy).toBe('refresh')
    expect(drift({ sessionLogs: [] }).remedy).toBe('refresh')
    const other = { path: 'p/c', text: jsonl(header(C), turn) }
    expect(drift({ sessionLogs: [live, other] }).remedy).toBe('refresh')
  })

  it('does not hide that calls were refused or left', () => {
    const refused = {
      event: 'refused',
      code: 'SCRIPT_EXHAUSTED',
      message: 'm',
      session: S,
    } as const
    expect(drift({ report: [...report, refused, drifted] }).remedy).toBe('by-hand')
  })
})
