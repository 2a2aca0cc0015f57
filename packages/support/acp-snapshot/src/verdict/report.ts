import { basename } from 'node:path'
import type { ReportRecord } from 'dsh-llm-replay'
import type { ExpectedLane } from '../scenario/lanes.ts'
import { Pairing } from './pairing.ts'
import { Refusals } from './refusals.ts'
import type { DriftFinding, Finding, LaneSummary, RefusalFinding } from './types.ts'

/** What the replay report says, in the words of a verdict. */
export interface ReportReading {
  readonly lanes: readonly LaneSummary[]
  /** What was refused, in the order of the report. It may have made the run fail in other ways. */
  readonly causes: readonly RefusalFinding[]
  /** Everything else; the run's own faults may have brought it about. */
  readonly findings: readonly Finding[]
  /** Apart from the others, since a difference of the logs mostly says it better. */
  readonly drifts: readonly DriftFinding[]
}

export interface ReportContext {
  /** The lanes of the scenario, by number: these must have been loaded, and no others. */
  readonly lanes: readonly ExpectedLane[]
  /** Whether the agent was ended from outside or fell over; its report then has no end. */
  readonly killed: boolean
}

interface Lane {
  file: string
  lineage: string | undefined
  calls: number
  /** The further of the cursors in the lane; a resumed session starts after its earlier calls. */
  reached: number
  rules: Set<string>
  /** Whether the process that loaded it last has closed it. */
  closed: boolean
}

/**
 * Reads a report over all restarts and processes. What is left in a lane is what no cursor reached,
 * in whichever process; that an earlier process did not reach it says nothing.
 */
export function readReport(report: readonly ReportRecord[], context: ReportContext): ReportReading {
  const lanes = new Map<number, Lane>()
  const findings: Finding[] = []
  const drifts: DriftFinding[] = []
  const refusals = new Refusals()
  const pairing = new Pairing()
  const pair = (record: Extract<ReportRecord, { event: 'bound' | 'served' }>): void => {
    const { file, lineage = context.lanes[record.lane]?.lineage } = known(record.lane)
    refusals.found(pairing.check(record, { lane: record.lane, file, lineage }))
  }
  const known = (lane: number): Lane => {
    const found = lanes.get(lane)
    if (found !== undefined) return found
    const made: Lane = {
      file: `lane ${lane}`,
      lineage: undefined,
      calls: 0,
      reached: 0,
      rules: new Set(),
      closed: false,
    }
    lanes.set(lane, made)
    return made
  }
  for (const record of report) {
    switch (record.event) {
      case 'loaded': {
        const lane = known(record.lane)
        const { file, calls, lineage } = record
        Object.assign(lane, { file: basename(file), calls, lineage, closed: false })
        findings.push(...otherLane(record, context.lanes[record.lane]))
        break
      }
      case 'bound': {
        const lane = known(record.lane)
        lane.rules.add(record.rule)
        lane.reached = Math.max(lane.reached, record.after ?? 0)
        pair(record)
        break
      }
      case 'served': {
        const lane = known(record.lane)
        lane.reached = Math.max(lane.reached, record.call)
        pair(record)
        break
      }
      case 'ready':
        break
      case 'refused':
        refusals.add(record)
        break
      case 'drifted': {
        const { lane, call, path, expected, actual } = record
        const { file } = known(lane)
        drifts.push({ kind: 'request-drift', lane, file, call, path, expected, actual })
        break
      }
      case 'left': {
        const lane = known(record.lane)
        lane.closed = true
        findings.push(...untold(record, lane))
        lane.reached = Math.max(lane.reached, record.served)
        break
      }
    }
  }
  const inOrder = [...lanes].sort(([a], [b]) => a - b)
  const summaries = inOrder.map(([lane, facts]) => summarise(lane, facts, context.lanes[lane]))
  findings.push(...refusals.consequences)
  for (const summary of summaries) {
    if (summary.left === 0) continue
    // What was cut short tells nothing of what it would have gone on to do.
    const ended = !context.killed && !refusals.causes.some(({ lane }) => lane === summary.lane)
    findings.push(leftover(summary, ended ? context.lanes[summary.lane]?.retries : undefined))
  }
  if (!context.killed) findings.push(...gaps(inOrder, context))
  return { lanes: summaries, causes: refusals.causes, findings, drifts }
}

function leftover(
  { lane, file, served, left }: LaneSummary,
  retries: readonly number[] | undefined,
): Finding {
  const call = served + 1
  if (retries?.includes(call) !== true) return { kind: 'leftover', lane, file, served, left }
  const message =
    `call ${call} of lane ${lane} (${file}) was recorded as a retry of call ${served}, within its step, and ` +
    `the session did not call again (${left} ${left === 1 ? 'call' : 'calls'} left)`
  return { kind: 'missing-retry', message, lane, call }
}

/** What the end of a report counts, its records have to have told: else it may lack others too. */
function untold({ served }: Extract<ReportRecord, { event: 'left' }>, lane: Lane): Finding[] {
  if (served <= lane.reached) return []
  const message =
    `replay counts ${served} served ${served === 1 ? 'call' : 'calls'} of ${lane.file} at its end, ` +
    `and told of ${lane.reached}; the report is not whole`
  return [{ kind: 'report-incomplete', message }]
}

/** A report that tells of other recordings proves nothing about these. */
function otherLane(
  loaded: Extract<ReportRecord, { event: 'loaded' }>,
  expected: ExpectedLane | undefined,
): Finding[] {
  const file = basename(loaded.file)
  const same =
    file === expected?.file &&
    loaded.calls === expected.calls &&
    (loaded.lineage ?? expected.lineage) === expected.lineage
  if (same) return []
  const came = laneText({ ...loaded, file })
  const wanted = expected === undefined ? 'no such lane' : laneText(expected)
  const message =
    `replay loaded ${came} as lane ${loaded.lane}, and the scenario has ${wanted} there;` +
    ' is the report written by llm-replay, from these fixtures?'
  return [{ kind: 'report-differs', message }]
}

function laneText({ file, calls, lineage }: ExpectedLane): string {
  const place = lineage === undefined ? '' : `, lineage ${lineage}`
  return `${file} (${calls} ${calls === 1 ? 'call' : 'calls'}${place})`
}

function summarise(lane: number, facts: Lane, expected: ExpectedLane | undefined): LaneSummary {
  const lineage = facts.lineage ?? expected?.lineage
  // What the scenario holds is known better than what the report says that it holds.
  const calls = expected?.calls ?? facts.calls
  return {
    lane,
    file: facts.file,
    ...(lineage !== undefined && { lineage }),
    boundBy: [...facts.rules].join(', ') || 'nothing',
    served: facts.reached,
    left: Math.max(0, calls - facts.reached),
  }
}

/** A replay that was not there, or did not end, has proved nothing. */
function gaps(lanes: readonly (readonly [number, Lane])[], context: ReportContext): Finding[] {
  if (lanes.length < context.lanes.length) {
    const message =
      `replay reported ${lanes.length} of ${context.lanes.length} recorded sessions;` +
      ' is llm-replay mounted, and the live adapter off?'
    return [{ kind: 'report-incomplete', message }]
  }
  const open = lanes.filter(([, lane]) => !lane.closed).map(([, lane]) => lane.file)
  if (open.length === 0) return []
  const message = `replay did not close ${open.join(', ')}: the agent did not end in order`
  return [{ kind: 'report-incomplete', message }]
}
