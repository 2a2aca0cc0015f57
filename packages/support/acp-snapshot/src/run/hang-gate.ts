import type { Clock } from 'dsh-brand'
import type { ReportFollower } from './report-follower.ts'
import type { HangPoint } from './types.ts'
import { pollUntil } from './wait.ts'

/**
 * Holds a cancel back until every recorded hang of its turn is ready. Where a cancel lands would
 * depend on timing otherwise: a sibling that has not come to its hang yet would be cut off earlier
 * than in the recording.
 */
export class HangGate {
  private readonly points: readonly HangPoint[]
  private readonly report: ReportFollower
  private readonly clock: Clock
  private readonly pollMs: number

  constructor(points: readonly HangPoint[], report: ReportFollower, clock: Clock, pollMs: number) {
    this.points = points
    this.report = report
    this.clock = clock
    this.pollMs = pollMs
  }

  /** @throws SnapshotError `BAD_REPORT` */
  async wait(root: number, prompt: number, signal: AbortSignal): Promise<void> {
    const due = this.points.filter((point) => point.root === root && point.prompt === prompt)
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
}
