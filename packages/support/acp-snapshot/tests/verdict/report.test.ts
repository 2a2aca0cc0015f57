import type { RefusalCode, ReportRecord } from 'dsh-llm-replay'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isRefusal } from '../../src/verdict/refusals.ts'
import { readReport } from '../../src/verdict/report.ts'
import type { RefusalKind } from '../../src/verdict/types.ts'

const loaded = (lane: number, calls: number, file = `/s/session.${lane}.jsonl`): ReportRecord => ({
  event: 'loaded',
  lane,
  file,
  calls,
})
const served = (lane: number, call: number, session: string | null = 's'): ReportRecord => ({
  event: 'served',
  lane,
  session,
  call,
})
const left = (lane: number, served = 0, left = 0): ReportRecord => ({
  event: 'left',
  lane,
  served,
  left,
})
const bound = (
  lane: number,
  rule: 'lineage' | 'anonymous' | 'resumed',
  after?: number,
): ReportRecord => ({
  event: 'bound',
  lane,
  session: 's',
  rule,
  ...(after !== undefined && { after }),
})
const noLane = { file: 'other.jsonl', calls: 0 }
/** Reads a report as that of a scenario with so many lanes, each as the report has it. */
const read = (report: ReportRecord[], { lanes = 1, killed = false } = {}) =>
  readReport(report, {
    lanes: Array.from({ length: lanes }, (_, lane) => {
      const record = report.find((each) => each.event === 'loaded' && each.lane === lane)
      if (record?.event !== 'loaded') return noLane
      const { file, calls, lineage } = record
      return { file: basename(file), calls, ...(lineage !== undefined && { lineage }) }
    }),
    killed,
  })

it('sums up each lane', () => {
  const report = [
    { ...loaded(1, 1), lineage: '0/1.1.0.0' } as const,
    loaded(0, 2, 'session.jsonl'),
    bound(0, 'lineage'),
    bound(0, 'anonymous'),
    bound(0, 'lineage'),
    served(0, 1),
    { event: 'ready', lane: 0, session: 's', call: 2 } as const,
    served(0, 2),
    served(1, 1, 'child'),
    left(1),
    left(0),
  ]
  expect(read(report, { lanes: 2 })).toEqual({
    lanes: [
      { lane: 0, file: 'session.jsonl', boundBy: 'lineage, anonymous', served: 2, left: 0 },
      {
        lane: 1,
        file: 'session.1.jsonl',
        lineage: '0/1.1.0.0',
        boundBy: 'nothing',
        served: 1,
        left: 0,
      },
    ],
    causes: [],
    findings: [],
    drifts: [],
  })
})

it('judges what is left by the further cursor', () => {
  const report = [loaded(0, 3), served(0, 1, null), served(0, 2, null), served(0, 1, 's'), left(0)]
  expect(read(report).findings).toEqual([
    { kind: 'leftover', lane: 0, file: 'session.0.jsonl', served: 2, left: 1 },
  ])
  expect(read([loaded(0, 2), served(0, 2, null), served(0, 1), left(0)]).findings).toEqual([])
})

it('counts over restarts: what one process reached, and what a resumed session had made', () => {
  const first = [loaded(0, 2), served(0, 1), served(0, 2), left(0, 2, 0)]
  expect(read([...first, loaded(0, 2), left(0, 0, 2)]).findings).toEqual([])
  expect(read([loaded(0, 2), bound(0, 'resumed', 2), left(0)]).findings).toEqual([])
  expect(read([loaded(0, 1), served(0, 2), left(0)]).lanes[0]?.left).toBe(0)
})

const refused = (code: RefusalCode, more: object = {}): ReportRecord => ({
  event: 'refused',
  code,
  message: `says ${code}`,
  session: 's',
  ...more,
})

it.each<[RefusalCode, RefusalKind]>([
  ['SCRIPT_EXHAUSTED', 'extra-call'],
  ['UNRECORDED_SESSION', 'unrecorded-session'],
  ['LANE_TAKEN', 'wrong-lane'],
  ['UNRECORDED_RETRY', 'unrecorded-retry'],
  ['MISSING_RETRY', 'missing-retry'],
  ['UNRECORDED_PURPOSE', 'refused'],
  ['TOOL_NOT_OFFERED', 'refused'],
  ['TOOL_REFUSED', 'refused'],
  ['TOOL_NOT_RECORDED', 'refused'],
  ['TOOL_ARGUMENTS_DIFFER', 'refused'],
])('case R7: %s is a finding of kind %s', (code, kind) => {
  const { causes, findings } = read([loaded(0, 0), refused(code, { lane: 0, call: 2 }), left(0)])
  expect(causes).toEqual([{ kind, code, message: `says ${code}`, lane: 0, call: 2 }])
  expect(causes.every(isRefusal)).toBe(true)
  expect(findings).toEqual([])
})

it('case R7: reports every refusal in its order, and apart what only follows from it', () => {
  const poisoned = (more: object): ReportRecord => refused('LANE_POISONED', more)
  const report: ReportRecord[] = [
    loaded(0, 1),
    refused('UNRECORDED_SESSION', { session: 'x' }),
    poisoned({ session: 'x' }),
    refused('SCRIPT_EXHAUSTED', { lane: 0, call: 1 }),
    poisoned({ lane: 0, call: 2 }),
    poisoned({ lane: 0, call: 3, session: null }),
    poisoned({ session: 'y' }),
    poisoned({ session: 'x' }),
    poisoned({ session: 'x' }),
    left(0),
  ]
  const { causes, findings } = read(report)
  expect(causes.map(({ kind }) => kind)).toEqual(['unrecorded-session', 'extra-call'])
  const kind = 'poisoned'
  const [code, message] = ['LANE_POISONED', 'says LANE_POISONED']
  expect(findings).toEqual([
    { kind, code, message, calls: 3 },
    { kind, code, message, lane: 0, call: 2, calls: 2 },
    { kind, code, message, calls: 1 },
    { kind: 'leftover', lane: 0, file: 'session.0.jsonl', served: 0, left: 1 },
  ])
  expect(findings.map(isRefusal)).toEqual([true, true, true, false])
})

it('misses lanes that were never loaded', () => {
  const message =
    'replay reported 0 of 2 recorded sessions; is llm-replay mounted, and the live adapter off?'
  expect(read([], { lanes: 2 }).findings).toEqual([{ kind: 'report-incomplete', message }])
  expect(read([loaded(0, 0), left(0)], { lanes: 2 }).findings).toHaveLength(1)
})

it('misses the end of a report, but not of the process before a restart', () => {
  expect(read([loaded(0, 0), loaded(1, 0), left(1)], { lanes: 2 }).findings).toEqual([
    {
      kind: 'report-incomplete',
      message: 'replay did not close session.0.jsonl: the agent did not end in order',
    },
  ])
  expect(read([loaded(0, 0), loaded(1, 0)], { lanes: 2 }).findings).toEqual([
    expect.objectContaining({
      message: expect.stringContaining('session.0.jsonl, session.1.jsonl'),
    }),
  ])
  expect(read([loaded(0, 0), loaded(0, 0), left(0)]).findings).toEqual([])
  expect(read([loaded(0, 0), left(0), loaded(0, 0)]).findings).toHaveLength(1)
})

it('expects no end after a kill, yet counts what is left', () => {
  expect(read([loaded(0, 1)], { killed: true }).findings).toEqual([
    expect.objectContaining({ kind: 'leftover', left: 1 }),
  ])
  expect(read([], { killed: true }).findings).toEqual([])
})

it('names a lane that was not loaded', () => {
  expect(read([served(4, 1), left(4)]).lanes).toEqual([
    { lane: 4, file: 'lane 4', boundBy: 'nothing', served: 1, left: 0 },
  ])
})

it('case R7: holds a report against the scenario, which a forged one does not tell of', () => {
  const lanes = [{ file: 'session.jsonl', calls: 2, lineage: '0' }]
  const forged = (more: object): unknown =>
    readReport([{ ...loaded(0, 2, '/s/session.jsonl'), ...more }, served(0, 2), left(0, 2)], {
      lanes,
      killed: false,
    }).findings
  const differs = (message: string) => [
    { kind: 'report-differs', message: expect.stringContaining(message) },
  ]
  expect(forged({})).toEqual([])
  expect(forged({ lineage: '0' })).toEqual([])
  expect(forged({ file: 'a' })).toEqual(
    differs(
      'replay loaded a (2 calls) as lane 0, and the scenario has session.jsonl (2 calls, lineage 0) there',
    ),
  )
  expect(forged({ calls: 1 })).toEqual(differs('session.jsonl (1 call) as lane 0'))
  expect(forged({ lineage: '1' })).toEqual(differs('session.jsonl (2 calls, lineage 1) as lane 0'))
  const extra = [loaded(0, 2, 'session.jsonl'), loaded(1, 0), served(0, 2), left(0), left(1)]
  expect(readReport(extra, { lanes, killed: false }).findings).toEqual(
    differs('as lane 1, and the scenario has no such lane there'),
  )
})

it('takes a report for cut short whose end counts more calls than it told of', () => {
  const findings = (count: number, ...told: ReportRecord[]): unknown =>
    read([loaded(0, 2), ...told, left(0, count)]).findings
  const cut = (message: string) => [{ kind: 'report-incomplete', message }]
  expect(findings(2)).toEqual(
    cut(
      'replay counts 2 served calls of session.0.jsonl at its end, and told of 0; the report is not whole',
    ),
  )
  expect(findings(2, served(0, 1))).toEqual(
    cut(
      'replay counts 2 served calls of session.0.jsonl at its end, and told of 1; the report is not whole',
    ),
  )
  expect(read([loaded(0, 1), left(0, 1)]).findings).toEqual(
    cut(
      'replay counts 1 served call of session.0.jsonl at its end, and told of 0; the report is not whole',
    ),
  )
  expect(findings(2, served(0, 2))).toEqual([])
  expect(findings(2, bound(0, 'resumed', 2))).toEqual([])
})

it('counts what is left by the calls of the scenario, whatever the report says', () => {
  const lanes = [{ file: 'session.jsonl', calls: 2, lineage: '0' }]
  const reading = readReport([loaded(0, 0, 'session.jsonl'), left(0)], { lanes, killed: false })
  expect(reading.findings).toEqual([
    { kind: 'report-differs', message: expect.any(String) },
    { kind: 'leftover', lane: 0, file: 'session.jsonl', served: 0, left: 2 },
  ])
  expect(reading.lanes[0]?.lineage).toBe('0')
})

describe('a report that does not pair sessions and lanes one to one', () => {
  const lane1 = { ...loaded(1, 1, 'session.1.jsonl'), lineage: '0/1.1.0.0' } as ReportRecord
  const start = [loaded(0, 2, 'session.jsonl'), lane1]
  const end = [left(0, 2), left(1, 1)]
  const all = [served(0, 1), served(0, 2), served(1, 1, 'c')]
  const of = (...records: ReportRecord[]) => read([...start, ...records, ...end], { lanes: 2 })
  const wrong = (lane: number, message: string) => [{ kind: 'wrong-lane', message, lane }]
  const one = 'lane 1 (session.1.jsonl, lineage 0/1.1.0.0)'
  const bind = (lane: number, session: string | null, lineage?: string): ReportRecord => ({
    event: 'bound',
    lane,
    session,
    rule: 'lineage',
    ...(lineage !== undefined && { lineage }),
  })

  it('is right about a parent, its child and the calls that name no session', () => {
    const records = [bind(0, 's', '0'), bind(0, null), bind(1, 'c', '0/1.1.0.0'), ...all]
    expect(of(...records, served(0, 1, null))).toMatchObject({ causes: [], findings: [] })
    expect(of(bind(1, 'c'), ...all).causes).toEqual([])
  })

  it('case R2: is red where a session has a lane of another lineage', () => {
    const message = `session c has lineage 0/1.2.0.0, and was given ${one}`
    expect(of(...all, bind(1, 'c', '0/1.2.0.0')).causes).toEqual(wrong(1, message))
    const lanes = [{ file: 'session.jsonl', calls: 0, lineage: '0' }]
    const report = [loaded(0, 0, 'session.jsonl'), bind(0, 's', '1'), left(0)]
    expect(readReport(report, { lanes, killed: false }).causes).toEqual(
      wrong(0, 'session s has lineage 1, and was given lane 0 (session.jsonl, lineage 0)'),
    )
  })

  it('case R2: is red where a session has two lanes', () => {
    const message = `session s has lane 0 (session.jsonl) and ${one}; each session has one lane`
    expect(of(...all.slice(0, 2), served(1, 1)).causes).toEqual(wrong(1, message))
    expect(of(bind(0, 's'), bind(1, 's'), ...all).causes).toEqual(wrong(1, message))
  })

  it('case R5: is red where a lane has two sessions, and says so once', () => {
    const message = `${one} answers sessions c and d; each lane is for one session`
    expect(of(...all, served(1, 1, 'd'), served(1, 1, 'd')).causes).toEqual(wrong(1, message))
  })

  it('is red where calls without a session are answered from a child’s lane', () => {
    const message = `calls without a session id were answered from ${one}; they belong to lane 0`
    expect(of(...all, served(1, 1, null)).causes).toEqual(wrong(1, message))
  })

  it('tells it in the order of the refusals', () => {
    const { causes } = of(...all, refused('TOOL_REFUSED'), served(1, 1, 'd'), refused('LANE_TAKEN'))
    expect(causes.map(({ code }) => code)).toEqual(['TOOL_REFUSED', undefined, 'LANE_TAKEN'])
    expect(causes.every(isRefusal)).toBe(true)
  })
})

describe('case R3: a recorded retry that nobody made', () => {
  const lanes = [{ file: 'session.jsonl', calls: 3, retries: [2] }]
  const reading = (report: ReportRecord[], killed = false) =>
    readReport([loaded(0, 3, 'session.jsonl'), ...report], { lanes, killed })
  const over = { kind: 'leftover', lane: 0, file: 'session.jsonl' }

  it('is a missing retry, not a leftover', () => {
    const message =
      'call 2 of lane 0 (session.jsonl) was recorded as a retry of call 1, within its step, and the ' +
      'session did not call again (2 calls left)'
    expect(reading([served(0, 1), left(0)]).findings).toEqual([
      { kind: 'missing-retry', message, lane: 0, call: 2 },
    ])
    const one = [{ file: 'session.jsonl', calls: 2, retries: [2] }]
    const report = [loaded(0, 2, 'session.jsonl'), served(0, 1), left(0)]
    expect(readReport(report, { lanes: one, killed: false }).findings).toEqual([
      expect.objectContaining({ message: expect.stringContaining('(1 call left)') }),
    ])
  })

  it('is a leftover where the next call is none, or the run did not get that far', () => {
    expect(reading([left(0)]).findings).toEqual([{ ...over, served: 0, left: 3 }])
    expect(reading([served(0, 2), left(0)]).findings).toEqual([{ ...over, served: 2, left: 1 }])
    expect(reading([served(0, 1)], true).findings).toEqual([{ ...over, served: 1, left: 2 }])
    const cut = reading([served(0, 1), refused('TOOL_REFUSED', { lane: 0 }), left(0)])
    expect(cut.findings).toEqual([{ ...over, served: 1, left: 2 }])
    const elsewhere = reading([served(0, 1), refused('TOOL_REFUSED', { lane: 1 }), left(0)])
    expect(elsewhere.findings).toEqual([expect.objectContaining({ kind: 'missing-retry' })])
  })
})

it('tells drifts apart from the rest, with the log of their lane', () => {
  const drifted = { event: 'drifted', lane: 1, session: 's', call: 3, path: 'system' } as const
  const report: ReportRecord[] = [
    loaded(0, 0),
    loaded(1, 3),
    { ...drifted, expected: '"a"', actual: '"b"' },
    { ...drifted, lane: 2 },
    left(0),
    left(1),
  ]
  const { findings, drifts } = read(report, { lanes: 2 })
  expect(findings.map(({ kind }) => kind)).not.toContain('request-drift')
  expect(drifts).toEqual([
    {
      kind: 'request-drift',
      lane: 1,
      file: 'session.1.jsonl',
      call: 3,
      path: 'system',
      expected: '"a"',
      actual: '"b"',
    },
    {
      kind: 'request-drift',
      lane: 2,
      file: 'lane 2',
      call: 3,
      path: 'system',
      expected: undefined,
      actual: undefined,
    },
  ])
})
