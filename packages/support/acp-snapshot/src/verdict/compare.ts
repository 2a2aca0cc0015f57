import { splitLines } from '../log/lines.ts'
import { type LogRecord, readRecords } from '../log/records.ts'
import { sessionToken } from '../normalise/tokens.ts'
import { firstParting } from './difference.ts'
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
 * Compares logs in their normal form, place by place: every log that differs with its first
 * difference, and apart from that every log that is missing or too many. The layout (packed or not)
 * is no difference. A log without events equals a missing one, and any other without events.
 */
export function compareLogs(
  expected: readonly NamedLog[],
  actual: readonly NamedLog[],
  view: View = wholeRecord,
): Finding[] {
  const findings: Finding[] = []
  let place = 0
  expected.forEach((log, index) => {
    const records = read(log, index)
    const missing = expected.length - index > actual.length - place
    if (missing && isEmpty(records)) return
    const live = actual[place]
    if (live === undefined) {
      findings.push({ kind: 'log-missing', file: log.name })
      return
    }
    const difference = compareRecords(records, read(live, place), view)
    place += 1
    if (difference !== undefined) findings.push({ kind: 'log-differs', file: log.name, difference })
  })
  for (const [index, log] of actual.entries()) {
    if (index < place) continue
    findings.push({ kind: 'log-extra', session: sessionToken(index), path: log.name })
  }
  return findings
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
    const [wanted, found] = [expected[index], actual[index]]
    const parting = firstParting(
      wanted === undefined ? undefined : view(wanted),
      found === undefined ? undefined : view(found),
    )
    if (parting === undefined) continue
    const at = (wanted ?? found) as LogRecord
    const type = at.value['type']
    const call = callsUntil(expected, index)
    return {
      line: at.line,
      ...parting,
      ...(typeof type === 'string' && { eventType: type }),
      ...(call > 0 && { call }),
    }
  }
  return undefined
}

/** A log of which only the header is there, or nothing. Transcripts are never empty in this way. */
function isEmpty(records: readonly LogRecord[]): boolean {
  return records.every((record) => record.value['type'] === 'session')
}

/** How many model calls of the session itself have begun at a record; a seed holds the parent's. */
function callsUntil(records: readonly LogRecord[], index: number): number {
  const seed = records[0]?.value['seedLength']
  const own = typeof seed === 'number' ? seed : 0
  let calls = 0
  let inCall = false
  for (const { value } of records.slice(1 + own, index + 1)) {
    if (value['type'] !== 'assistant/chunk') {
      if (value['type'] === 'step/start') inCall = false
      continue
    }
    if (!inCall) calls += 1
    inCall = !JSON.stringify(value['data']).includes('"type":"finish"')
  }
  return calls
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
