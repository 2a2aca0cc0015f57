import type { ReportRecord } from 'dsh-llm-replay'
import { expect, it } from 'vitest'
import { readReport, type ReportContext } from '../../src/verdict/report.ts'

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
const read = (report: ReportRecord[], more: Partial<ReportContext> = {}) =>
  readReport(report, { lanes: 1, killed: false, ...more })

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
    served(1, 1),
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
    findings: [],
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
  expect(read([loaded(0, 2), left(0, 2, 0)]).findings).toEqual([])
  expect(read([loaded(0, 1), served(0, 2), left(0)]).lanes[0]?.left).toBe(0)
})

it('case R7: reports every refusal', () => {
  const report: ReportRecord[] = [
    loaded(0, 0),
    { event: 'refused', code: 'SCRIPT_EXHAUSTED', message: 'm', lane: 0, call: 1, session: 's' },
    { event: 'refused', code: 'UNRECORDED_SESSION', message: 'n', session: null },
    left(0),
  ]
  expect(read(report).findings).toEqual([
    { kind: 'refused', code: 'SCRIPT_EXHAUSTED', message: 'm', lane: 0, call: 1 },
    { kind: 'refused', code: 'UNRECORDED_SESSION', message: 'n' },
  ])
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
