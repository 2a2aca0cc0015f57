import { type Fields, isFields, parseLine, splitLines } from './lines.ts'

/** One event (or the header) of a log, whatever layout the log has. */
export interface LogRecord {
  /** The line that it stands in, from 1; members of a packed row share one. */
  readonly line: number
  readonly value: Fields
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
      const events = unfold(value, next) ?? [restore(value, next)]
      for (const event of events) records.push({ line, value: event })
      next += events.length
    }
  })
  return records
}

function restore(event: Fields, seq: number): Fields {
  if ('seq' in event) return event
  const { type, ...rest } = event
  return { type, seq, time: 0, ...rest }
}

/** Tag of a row: the key of its pieces, and what one piece is. */
const ROWS: ReadonlyMap<
  unknown,
  { readonly pieces: string; readonly chunk: string; readonly key: string }
> = new Map([
  ['text-chunks', { pieces: 'texts', chunk: 'text-delta', key: 'text' }],
  ['reasoning-chunks', { pieces: 'texts', chunk: 'reasoning-delta', key: 'text' }],
  ['tool-call-chunks', { pieces: 'args', chunk: 'tool-call-delta', key: 'argumentsDelta' }],
])

function unfold(row: Fields, next: number): Fields[] | undefined {
  const kind = ROWS.get(row['type'])
  const { data } = row
  if (kind === undefined || !isFields(data)) return undefined
  const { turn, step, index, dt, id, name } = data
  const pieces = data[kind.pieces]
  if (!Array.isArray(pieces) || !Array.isArray(dt) || dt.length !== pieces.length - 1) {
    return undefined
  }
  const first = typeof row['seq0'] === 'number' ? row['seq0'] : next
  let time = typeof row['time0'] === 'number' ? row['time0'] : 0
  return pieces.map((piece: unknown, member) => {
    if (member > 0) time += Number(dt[member - 1])
    const chunk = {
      type: kind.chunk,
      index,
      ...(id !== undefined && { id }),
      ...(name !== undefined && { name }),
      [kind.key]: piece,
    }
    return { type: 'assistant/chunk', seq: first + member, time, data: { turn, step, chunk } }
  })
}
