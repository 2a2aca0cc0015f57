import { decodeStorageRecord, isProjected, restoreProjected } from 'dsh-session'
import { type Fields, isFields, parseLine, splitLines } from './lines.ts'

/** One event (or the header) of a log, whatever layout the log has. */
export interface LogRecord {
  /** The line that it stands in, from 1; members of a packed row share one. */
  readonly line: number
  /** The event, whole also where the log leaves out `seq` and `time`; of a damaged row, the row. */
  readonly value: Readonly<Record<string, unknown>>
}

/**
 * A log as a list of events: packed rows unfolded, and `seq` and `time` restored where the committed
 * form omits them. Damaged rows stay as they are, so that a comparison shows them.
 * @throws SnapshotError `NOT_JSON`.
 */
export function readRecords(text: string, file: string): LogRecord[] {
  const records: LogRecord[] = []
  let next = 0
  splitLines(text).forEach((lineText, index) => {
    const line = index + 1
    const value = parseLine(lineText, line, file)
    if (!isFields(value)) records.push({ line, value: { value } })
    else if (value['type'] === 'session') records.push({ line, value })
    else {
      const whole = isProjected(value) ? restoreProjected(value, next) : value
      const events = unfold(whole) ?? [value]
      for (const event of events) records.push({ line, value: event })
      next += events.length
    }
  })
  return records
}

/** The events that a row stands for; undefined where it is damaged. */
function unfold(value: Fields): readonly Fields[] | undefined {
  try {
    return decodeStorageRecord(value) as unknown as readonly Fields[]
  } catch {
    return undefined
  }
}
