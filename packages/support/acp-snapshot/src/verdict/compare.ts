import { splitLines } from '../log/lines.ts'
import { type LogRecord, readRecords } from '../log/records.ts'
import { sessionToken } from '../normalise/tokens.ts'
import { alignByPlace, renumber } from './align.ts'
import { firstParting } from './difference.ts'
import { eventFacts } from './event-facts.ts'
import { shiftBetween, sortOf, substance } from './event-text.ts'
import { whoIs } from './who-is.ts'
import type { Difference, Finding } from './types.ts'

/** A log with the name that a finding calls it by. */
export interface NamedLog {
  readonly name: string
  readonly text: string
}

/** What of a record counts. Undefined leaves the record out. */
export type View = (record: LogRecord) => unknown

/** Everything counts, as a fixture is compared with the run that it stands for. */
export const wholeRecord: View = (record) => record.value

/**
 * Compares logs in their normal form: every log that differs with its first difference, and apart from
 * that every log that is missing or too many. The layout (packed or not) is no difference. A log
 * without events equals a missing one, and any other without events.
 *
 * Logs are paired in their order; where their number is not the recorded one, by the places of their
 * sessions in the delegation tree, as far as those are known.
 */
export function compareLogs(
  expected: readonly NamedLog[],
  actual: readonly NamedLog[],
  view: View = wholeRecord,
): Finding[] {
  const places = alignByPlace(expected, actual)
  const order = places ?? inOrder(expected, actual)
  const findings = expected.flatMap((log, index): Finding[] => {
    const live = order[index]
    const records = read(log, index)
    if (live === undefined) return isEmpty(records) ? [] : [{ kind: 'log-missing', file: log.name }]
    const found = actual[live] as NamedLog
    const text =
      places === undefined
        ? found.text
        : renumber(found.text, places, { rank: index, count: actual.length })
    const difference = compareRecords(records, read({ name: found.name, text }, index), view)
    return difference === undefined ? [] : [{ kind: 'log-differs', file: log.name, difference }]
  })
  const extra = actual.flatMap((log, index): Finding[] => {
    if (order.includes(index)) return []
    return [{ kind: 'log-extra', session: sessionToken(index), path: log.name, ...whoIs(log) }]
  })
  return [...findings, ...extra]
}

/** A recorded log without events is passed over where live ones are too few. */
function inOrder(
  expected: readonly NamedLog[],
  actual: readonly NamedLog[],
): (number | undefined)[] {
  let place = 0
  return expected.map((log, index) => {
    const few = expected.length - index > actual.length - place
    if (place >= actual.length || (few && isEmpty(read(log, index)))) return undefined
    place += 1
    return place - 1
  })
}

/** Compares a transcript in normal form with the committed text, line by line. */
export function compareStdout(expected: string, actual: readonly string[]): Difference | undefined {
  const view = (line: string, index: number) => ({
    line: index + 1,
    value: { line: JSON.parse(line) as unknown },
  })
  return compareRecords(
    splitLines(expected).map(view),
    actual.map(view),
    (record) => record.value['line'],
  )
}

/** Compares two texts for people line by line. */
export function compareText(expected: string, actual: string): Difference | undefined {
  const view = (line: string, index: number) => ({ line: index + 1, value: { line } })
  return compareRecords(
    expected.split('\n').map(view),
    actual.split('\n').map(view),
    (record) => record.value['line'],
  )
}

function compareRecords(
  expected: readonly LogRecord[],
  actual: readonly LogRecord[],
  view: View,
): Difference | undefined {
  if (isEmpty(expected) && isEmpty(actual)) return undefined
  const longest = Math.max(expected.length, actual.length)
  for (let index = 0; index < longest; index += 1) {
    const [wanted, found] = [viewed(expected[index], view), viewed(actual[index], view)]
    const parting = firstParting(wanted, found)
    if (parting === undefined) continue
    const shift = shiftBetween(
      [wanted, viewed(expected[index + 1], view)],
      [found, viewed(actual[index + 1], view)],
    )
    const whole = shift !== undefined || sortOf(wanted) !== sortOf(found)
    const at = (expected[index] ?? actual[index]) as LogRecord
    return {
      line: at.line,
      ...(whole ? { path: '', expected: substance(wanted), actual: substance(found) } : parting),
      ...(shift !== undefined && { shift }),
      ...eventFacts(expected, index, at),
    }
  }
  return undefined
}

function viewed(record: LogRecord | undefined, view: View): unknown {
  return record === undefined ? undefined : view(record)
}

/** A log of which only the header is there, or nothing. Transcripts are never empty in this way. */
function isEmpty(records: readonly LogRecord[]): boolean {
  return records.every((record) => record.value['type'] === 'session')
}

/** Hand-written logs call their session `{{sessionId}}`, whatever its place is. */
function read(log: NamedLog, place: number): LogRecord[] {
  return readRecords(log.text, log.name).map((record, index) => {
    const own = index === 0 && record.value['id'] === '{{sessionId}}'
    const text = JSON.stringify(own ? { ...record.value, id: sessionToken(place) } : record.value)
    if (!own && !text.includes('{{sessionId}}')) return record
    const value = JSON.parse(
      text.replaceAll('{{sessionId}}', sessionToken(0)),
    ) as LogRecord['value']
    return { ...record, value }
  })
}
