import { isRowTag } from './storage-row.ts'

/** Whether a line of a log, the header aside, is in the form without numbers and times. */
export function isProjected(record: Readonly<Record<string, unknown>>): boolean {
  return isRowTag(record.type)
    ? !('seq0' in record || 'time0' in record)
    : !('seq' in record || 'time' in record)
}

/** The complete form of a projected line: `seq` is the number of events before it, times are 0. */
export function restoreProjected(
  record: Readonly<Record<string, unknown>>,
  seq: number,
): Record<string, unknown> {
  const { type, ...rest } = record
  return isRowTag(type) ? { type, seq0: seq, time0: 0, ...rest } : { type, seq, time: 0, ...rest }
}
