import type { Clock } from 'dsh-brand'
import type { ReportFollower } from './report-follower.ts'
import type { HangPoint } from './types.ts'
import { pollUntil } from './wait.ts'

/** A message names no more hangs: it is read in a terminal. */
const MOST = 5

/**
 * Holds a cancel back until every recorded hang of its turn is ready. Where a cancel lands would
 * depend on timing otherwise: a sibling that has not come to its hang yet would be cut off earlier
 * than in the recording.
 */
export class HangGate {
  private readonly points: readonly HangPoint[] | undefined
  private readonly report: ReportFollower
  private readonly clock: Clock
  private readonly pollMs: number

  /** `points` undefined: what was recorded is not known. */
  constructor(
    points: readonly HangPoint[] | undefined,
    report: ReportFollower,
    clock: Clock,
    pollMs: number,
  ) {
    this.points = points
    this.report = report
    this.clock = clock
    this.pollMs = pollMs
  }

  /** Whether it is known that nothing in the recording holds a turn until it is cancelled. */
  isFree(root: number, prompt: number): boolean {
    return this.points !== undefined && this.due(root, prompt).length === 0
  }

  /** What a cancel waits for, for the faults that end the wait. */
  describe(root: number, prompt: number): string {
    return `every recorded hang of the turn (${this.named(root, prompt) || 'none'})`
  }

  /** The recorded hangs of a turn; empty where there is none. */
  named(root: number, prompt: number): string {
    const due = this.due(root, prompt)
    const named = due.slice(0, MOST).map(({ lane, call }) => `call ${call} of lane ${lane}`)
    if (due.length > MOST) named.push(`${due.length - MOST} more`)
    return named.join(', ')
  }

  /** @throws SnapshotError `BAD_REPORT` */
  async wait(root: number, prompt: number, signal: AbortSignal): Promise<void> {
    const due = this.due(root, prompt)
    if (due.length === 0) return
    const allReady = async (): Promise<boolean> => {
      await this.report.look()
      return due.every((point) =>
        this.report.records.some(
          (record) =>
            record.event === 'ready' && record.lane === point.lane && record.call === point.call,
        ),
      )
    }
    await pollUntil(allReady, { clock: this.clock, pollMs: this.pollMs, signal })
  }

  private due(root: number, prompt: number): HangPoint[] {
    return (this.points ?? []).filter((point) => point.root === root && point.prompt === prompt)
  }
}
