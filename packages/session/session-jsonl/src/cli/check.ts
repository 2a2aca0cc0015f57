import { SessionError, type SessionEvent } from 'dsh-session'
import type { Line } from '../lines.ts'
import { LogScanner } from '../scan.ts'
import { linesOf } from './source.ts'

/** What `check` found out about one log. */
export interface CheckReport {
  readonly file: string
  readonly verdict: 'sound' | 'repairable' | 'corrupt'
  /** Why it cannot be loaded; what else the report says then goes as far as the damage. */
  readonly error?: string
  readonly id?: string
  /** A projected log can be replayed, but not gone on with. */
  readonly layout: 'plain' | 'packed' | 'projected'
  readonly bytes: number
  readonly lines: number
  readonly rows: number
  /** Valid ones, those of an open last turn included. */
  readonly events: number
  /** Up to the last `turn/end`: what no crash can take away. */
  readonly committed: number
  /** Bytes at the end that loading drops, and why. */
  readonly dropped: number
  readonly damage?: string
  /** Types of the events that loading adds to close the last turn. */
  readonly added: readonly string[]
}

/**
 * Looks through a log as loading does, without keeping it or changing anything.
 * @param file names the log in the report.
 * @throws what reading the bytes throws.
 */
export async function checkLog(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<CheckReport> {
  let committed = 0
  const keep = (events: readonly SessionEvent[]): void => {
    for (const { type, seq } of events) if (type === 'turn/end') committed = seq + 1
  }
  const scanner = new LogScanner(file, { keep, projected: true })
  let last: Line | undefined
  let error: string | undefined
  try {
    for await (const lines of linesOf(bytes)) {
      for (const line of lines) {
        last = line
        if (line.torn !== true) scanner.line(line)
      }
    }
    // A log without a header is none, however empty.
    void scanner.header
  } catch (cause) {
    if (!(cause instanceof SessionError)) throw cause
    error = cause.message
  }
  const { next, rows, projected } = scanner.reader
  const size = last?.end ?? 0
  const seen = { bytes: size, lines: last?.number ?? 0, rows, events: next, committed }
  const layout = projected ? 'projected' : rows > 0 ? 'packed' : 'plain'
  if (error !== undefined) {
    return { file, verdict: 'corrupt', error, layout, ...seen, dropped: 0, added: [] }
  }
  const dropped = size - scanner.validSize
  const damage = scanner.damage?.message ?? `line ${seen.lines} has no line feed`
  const added = scanner.openTurn.closers().map(({ type }) => type)
  return {
    file,
    verdict: dropped + added.length > 0 ? 'repairable' : 'sound',
    id: scanner.header.id,
    layout,
    ...seen,
    dropped,
    ...(dropped > 0 && { damage }),
    added,
  }
}

/** A report in words: one line, and one more for each thing that loading would repair. */
export function describeCheck(report: CheckReport): string[] {
  const { file, verdict, bytes, lines, rows, events, committed, layout, dropped, added } = report
  if (report.error !== undefined) return [`${file}: corrupt: ${report.error}`]
  const counts = [
    `session ${report.id}`,
    `${bytes} bytes`,
    `${lines} lines (${layout}${rows > 0 ? `, ${rows} rows` : ''})`,
    `${events} events, ${committed} of them committed`,
  ]
  return [
    `${file}: ${verdict}: ${counts.join(', ')}`,
    ...(dropped > 0 ? [`  loading drops the last ${dropped} bytes: ${report.damage}`] : []),
    ...(added.length > 0 ? [`  loading closes the open turn with ${added.join(', ')}`] : []),
  ]
}
