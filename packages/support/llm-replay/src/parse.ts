import { messageOf } from 'dsh-brand'
import {
  headerProblem,
  isCount,
  RecordReader,
  SESSION_FORMAT_VERSION,
  type SessionEvent,
  type SessionHeader,
} from 'dsh-session'
import { ReplayError } from './error.ts'
import { isRecord, type JsonRecord, show } from './json.ts'

const UNNAMED = 'session log'

/**
 * Reads line 0 of a recorded log. A missing `version` counts as 0, for hand-written logs; unknown
 * keys are kept. `file` only names the log in messages.
 * @throws ReplayError `FIXTURE_INVALID`
 */
export function parseSessionHeader(text: string, file: string = UNNAMED): SessionHeader {
  const end = text.indexOf('\n')
  const value = parseLine(end < 0 ? text : text.slice(0, end), file, 1)
  if (value.type !== 'session') {
    throw invalid(file, 1, `expected the session header, not ${show(value)}`)
  }
  const { version = SESSION_FORMAT_VERSION, id, createdAt, cwd, parentSession, seedLength } = value
  if (typeof id !== 'string' || id === '') {
    throw invalid(file, 1, `the header's "id" must be a non-empty string, not ${show(id)}`)
  }
  if (version !== SESSION_FORMAT_VERSION) {
    throw invalid(
      file,
      1,
      `unsupported session format version ${show(version)} for "${id}" (only v0 is supported)`,
    )
  }
  if (typeof createdAt !== 'number') {
    throw invalid(file, 1, `the header's "createdAt" must be a number, not ${show(createdAt)}`)
  }
  for (const [key, given] of Object.entries({ cwd, parentSession })) {
    if (given !== undefined && typeof given !== 'string') {
      throw invalid(file, 1, `the header's "${key}" must be a string, not ${show(given)}`)
    }
  }
  if (seedLength !== undefined && !isCount(seedLength)) {
    throw invalid(
      file,
      1,
      `the header's "seedLength" must be an integer of 0 or more, not ${show(seedLength)}`,
    )
  }
  const problem = placeProblem(value)
  if (problem !== undefined) throw invalid(file, 1, `the header's ${problem}`)
  return { ...value, version } as unknown as SessionHeader
}

/** What places a session is ours, so the format's own rules hold: no older log has it looser. */
function placeProblem({ spawnedBy, root }: JsonRecord): string | undefined {
  return headerProblem({
    type: 'session',
    id: '0',
    createdAt: 0,
    ...(spawnedBy === undefined ? {} : { spawnedBy }),
    ...(root === undefined ? {} : { root }),
  })
}

/**
 * Reads the events of a recorded log, the header aside: whole events, packed rows and the projected
 * form (without `seq` and `time`). `seq` need not be contiguous, for hand-written logs. Every line
 * has to be readable: dropping one would shift every later answer.
 * @throws ReplayError `FIXTURE_INVALID`, with file and line
 */
export function parseSessionLog(text: string, file: string = UNNAMED): SessionEvent[] {
  return [...readSessionLog(text, file).keys()]
}

/** The events in order, each with the line that it stands in. @throws like `parseSessionLog` */
export function readSessionLog(text: string, file: string): ReadonlyMap<SessionEvent, number> {
  parseSessionHeader(text, file)
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const reader = new RecordReader({ tolerant: true })
  const events = new Map<SessionEvent, number>()
  for (const [at, line] of lines.entries()) {
    if (at === 0) continue
    try {
      for (const event of reader.read(line)) events.set(event, at + 1)
    } catch (error) {
      throw invalid(file, at + 1, messageOf(error))
    }
  }
  return events
}

function parseLine(line: string, file: string, number: number): JsonRecord {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    throw invalid(
      file,
      number,
      `not JSON (${messageOf(error)}); the line is ${line === '' ? 'empty' : show(line)}`,
    )
  }
  if (!isRecord(value)) throw invalid(file, number, `expected an object, not ${show(value)}`)
  return value
}

function invalid(file: string, line: number, problem: string): ReplayError {
  return new ReplayError('FIXTURE_INVALID', `${file}:${line}: ${problem}`)
}
