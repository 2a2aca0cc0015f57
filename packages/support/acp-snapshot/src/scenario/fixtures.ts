import { SnapshotError } from '../error.ts'
import { type LogHeader, readHeader } from '../log/header.ts'
import { type JsonProblem, jsonProblem } from '../log/json-scan.ts'
import { isFields, splitLines } from '../log/lines.ts'
import { visible } from '../log/visible.ts'

/** A committed file with the name that messages call it by. */
export interface FixtureText {
  readonly name: string
  readonly text: string
}

/**
 * Checks every log of a scenario to its last line: what cannot be read whole would be a recording
 * that silently lost something.
 * @throws SnapshotError `BAD_FIXTURE` or `NOT_JSON`, naming the file and the line.
 */
export function checkLogs(logs: readonly FixtureText[]): void {
  const headers = new Map<string, LogHeader>()
  for (const { name, text } of logs) {
    const values = checkLines({ name, text })
    const header = readHeader(text, name)
    values.forEach((value, index) => checkEvent(value, index, name))
    checkFamily(header, name, headers)
    headers.set(name, header)
  }
}

/**
 * The values of a committed JSON Lines file.
 * @throws SnapshotError `BAD_FIXTURE` or `NOT_JSON`, naming the file and the line.
 */
export function checkLines({ name, text }: FixtureText): unknown[] {
  const lines = splitLines(text)
  const values = lines.map((line, index) => {
    const place = `${name}:${index + 1}`
    if (line.endsWith('\r')) {
      throw bad(`${place}: ends in CR LF, expected LF alone; check the file out without conversion`)
    }
    const problem = jsonProblem(line)
    if (problem !== undefined) throw notJson(`${place}:${problem.column}`, problem, line)
    return JSON.parse(line) as unknown
  })
  if (text !== '' && !text.endsWith('\n')) {
    throw bad(
      `${name}:${lines.length}: the last line has no newline, so its end may be lost; ` +
        'record the scenario again, or add the newline if the line is whole',
    )
  }
  return values
}

/** @throws SnapshotError `NOT_JSON` for a file that is not one JSON value. */
export function checkJson({ name, text }: FixtureText): unknown {
  const problem = jsonProblem(text)
  if (problem === undefined) return JSON.parse(text)
  throw notJson(`${name}:${problem.line}:${problem.column}`, problem, text)
}

function notJson(place: string, { problem, offset }: JsonProblem, text: string): SnapshotError {
  const from = Math.max(0, offset - 20)
  const shown = visible(text.slice(from, offset + 20))
  return new SnapshotError('NOT_JSON', `${place}: ${problem}, near ${shown}; correct it there`)
}

function checkEvent(value: unknown, index: number, name: string): void {
  const place = `${name}:${index + 1}`
  if (!isFields(value) || typeof value['type'] !== 'string') {
    throw bad(`${place}: no event, expected an object with a "type"; record the scenario again`)
  }
  if (index > 0 && value['type'] === 'session') {
    throw bad(`${place}: a second session header; one file holds the log of one session`)
  }
}

function checkFamily(
  header: LogHeader,
  name: string,
  before: ReadonlyMap<string, LogHeader>,
): void {
  const { id, parentSession } = header
  const earlier = [...before].find(([, other]) => other.id === id)?.[0]
  if (earlier !== undefined) {
    throw bad(`${name}: has the session id of ${earlier}: ${id}`)
  }
  if (before.size === 0 && parentSession !== undefined) {
    throw bad(
      `${name}: the primary log is a child's (parentSession ${parentSession}); are two files swapped?`,
    )
  }
  if (parentSession === undefined) return
  const parents = [...before.values()]
  if (parents.some((other) => other.id === parentSession)) return
  throw bad(
    `${name}: its parent ${parentSession} has no log before it; number the logs parents first`,
  )
}

function bad(message: string): SnapshotError {
  return new SnapshotError('BAD_FIXTURE', message)
}
