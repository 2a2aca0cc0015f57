import type { RecordOutcome } from '../tier/record.ts'
import type { VerdictReport } from '../verdict/verdict-report.ts'

/**
 * A line of `--json`: what became of one scenario. Keys are only added, never changed in meaning, as
 * long as `format` is 1.
 */
export type JsonLine = JudgedLine | RecordedLine | FailedLine | SkippedLine

/** What `replay` and `refresh` print of a scenario that was run. */
export interface JudgedLine extends VerdictReport {
  /** Names of the files that `refresh` changed; absent where it changed none. */
  readonly written?: readonly string[]
  /** Why `refresh` wrote nothing, where that is not for the verdict to say. */
  readonly problem?: string
}

/** What `record` prints of a scenario that was run. */
export interface RecordedLine extends Omit<RecordOutcome, 'verdict'> {
  readonly format: 1
  /** Of the recording where that failed, else of the replay that proved it. */
  readonly verdict?: VerdictReport
}

/** A scenario that could not be run. */
export interface FailedLine {
  readonly format: 1
  readonly scenario: string
  readonly status: 'failed'
  /** Why, most telling first. */
  readonly problems: readonly string[]
}

/** A scenario that the mode leaves out, as `record` does with one that is authored. */
export interface SkippedLine {
  readonly format: 1
  readonly scenario: string
  readonly status: 'skipped'
  /** Why, for people. */
  readonly reason: string
}
