import { SeqGapError, SessionError } from './error.ts'
import { decodeChecked, type ParseOptions, parseRecordLine } from './line.ts'
import { isProjected, restoreProjected } from './projected.ts'
import { isRowTag } from './storage-row.ts'
import type { SessionEvent } from './types.ts'

/** How strictly a log is read, and whether it has to be whole. */
export interface RecordReaderOptions extends ParseOptions {
  /** Refuses the projected form, as a log that is going to be appended to has to be complete. */
  readonly complete?: boolean
}

/**
 * Reads the lines of a log behind its header in whatever layout they have: plain, packed, mixed or
 * projected. A cursor counts events, not lines, and each event has to follow the one before.
 */
export class RecordReader {
  private readonly options: RecordReaderOptions
  private bare: boolean | undefined
  private count = 0
  private rowCount = 0

  constructor(options: RecordReaderOptions = {}) {
    this.options = options
  }

  /** How many events there were so far: the `seq` of the next one. */
  get next(): number {
    return this.count
  }

  /** How many packed rows there were so far. */
  get rows(): number {
    return this.rowCount
  }

  /** Whether the log is in the projected form; false before its first line. */
  get projected(): boolean {
    return this.bare ?? false
  }

  /**
   * The events of the next line, frozen. A line stands or falls as a whole: after an error the
   * reader is where it was before.
   * @throws SessionError `CORRUPT_LOG`, a `SeqGapError` where an event does not follow. The message
   *   says what is wrong with the line, and leaves the place to the caller.
   */
  read(line: string): readonly SessionEvent[] {
    const record = parseRecordLine(line)
    const bare = isProjected(record)
    if (bare !== (this.bare ?? bare)) {
      throw new SessionError(
        'CORRUPT_LOG',
        `a log has "seq" and "time" on every line or on none; this line ${bare ? 'lacks' : 'has'} them`,
      )
    }
    if (bare && this.options.complete === true) {
      throw new SessionError(
        'CORRUPT_LOG',
        'the line lacks "seq" and "time"; a log in the projected form can be replayed, but not gone on with',
      )
    }
    const whole = bare ? restoreProjected(record, this.count) : record
    const events = decodeChecked(whole, this.options)
    if (this.options.tolerant !== true) this.checkSeqs(events)
    this.bare = bare
    this.count += events.length
    if (isRowTag(record.type)) this.rowCount++
    return events
  }

  private checkSeqs(events: readonly SessionEvent[]): void {
    let expected = this.count
    for (const { seq } of events) {
      if (seq !== expected) throw new SeqGapError(expected, seq)
      expected++
    }
  }
}
