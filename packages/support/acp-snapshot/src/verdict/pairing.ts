import type { ReportRecord } from 'dsh-llm-replay'
import type { RefusalFinding } from './types.ts'

/** A lane as far as it is told of: its number, the name of its log and its place. */
export interface PairedLane {
  readonly lane: number
  readonly file: string
  readonly lineage: string | undefined
}

type Pair = Extract<ReportRecord, { event: 'bound' | 'served' }>

/**
 * Checks that a report pairs sessions with lanes one to one and by their places. Replay keeps to that
 * itself; here the report is believed no more than it shows. Each disagreement is told once.
 */
export class Pairing {
  private readonly lanes = new Map<string | null, PairedLane>()
  private readonly sessions = new Map<number, string>()
  private readonly told = new Set<string>()

  /** What is wrong with a record, after those before it. */
  check(record: Pair, lane: PairedLane): RefusalFinding | undefined {
    const message = this.problem(record, lane)
    if (message === undefined || this.told.has(message)) return undefined
    this.told.add(message)
    return { kind: 'wrong-lane', message, lane: lane.lane }
  }

  private problem(record: Pair, lane: PairedLane): string | undefined {
    const { session } = record
    if (session === null) {
      if (lane.lane === 0) return undefined
      return `calls without a session id were answered from ${nameOf(lane)}; they belong to lane 0`
    }
    if (record.event === 'bound' && parted(record.lineage, lane.lineage)) {
      return `session ${session} has lineage ${record.lineage}, and was given ${nameOf(lane)}`
    }
    const other = this.lanes.get(session)
    if (other !== undefined && other.lane !== lane.lane) {
      return `session ${session} has ${nameOf(other)} and ${nameOf(lane)}; each session has one lane`
    }
    const holder = this.sessions.get(lane.lane)
    if (holder !== undefined && holder !== session) {
      return `${nameOf(lane)} answers sessions ${holder} and ${session}; each lane is for one session`
    }
    this.lanes.set(session, lane)
    this.sessions.set(lane.lane, session)
    return undefined
  }
}

function parted(live: string | undefined, recorded: string | undefined): boolean {
  return live !== undefined && recorded !== undefined && live !== recorded
}

function nameOf({ lane, file, lineage }: PairedLane): string {
  return `lane ${lane} (${file}${lineage === undefined ? '' : `, lineage ${lineage}`})`
}
