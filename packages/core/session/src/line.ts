import { envelopeProblem, isCount } from './envelope.ts'
import { SessionError } from './error.ts'
import { headerProblem, orderHeader } from './header.ts'
import { deepFreeze, sealParsed } from './seal.ts'
import { SESSION_FORMAT_VERSION, type SessionEvent, type SessionHeader } from './types.ts'

export interface ParseOptions {
  /**
   * Accepts what hand-written logs have: no `version`, surface events without `surfaceOp`, and
   * (where a whole log is parsed) a `seq` that is not contiguous.
   */
  readonly tolerant?: boolean
}

/** One line of a log, without its line feed. */
export function serializeEvent(event: SessionEvent): string {
  const { type, seq, time, data, sourceEventSeqs, surfaceOp, ...rest } = event
  return JSON.stringify({ type, seq, time, data, sourceEventSeqs, surfaceOp, ...rest })
}

/** Line 0 of a log, without its line feed. */
export function serializeHeader(header: SessionHeader): string {
  return JSON.stringify(orderHeader(header))
}

/**
 * Parses line 0. Unknown keys are kept; a missing version, where tolerated, is filled in.
 * @throws SessionError `UNSUPPORTED_VERSION`; `CORRUPT_LOG` when it is not a header.
 */
export function parseHeaderLine(line: string, options: ParseOptions = {}): SessionHeader {
  const raw = parseRecord(line)
  if (typeof raw === 'string') throw headerError(raw)
  const problem = headerProblem(raw)
  if (problem !== undefined) throw headerError(problem)
  const { version } = raw
  if (version === undefined) {
    if (options.tolerant !== true) throw headerError('"version" is missing')
    return deepFreeze(orderHeader({ ...raw, version: SESSION_FORMAT_VERSION }))
  }
  if (version !== SESSION_FORMAT_VERSION) {
    throw new SessionError(
      'UNSUPPORTED_VERSION',
      `unsupported session format version ${typeof version === 'number' ? version : JSON.stringify(version)} for "${String(raw.id)}" (only v0 is supported)`,
    )
  }
  return deepFreeze(orderHeader(raw))
}

/**
 * Parses one event and checks its envelope, never its `data`. Keys that the envelope does not know
 * are kept. Frozen.
 * @param lineNumber as an editor counts: the header is line 1.
 * @throws SessionError `CORRUPT_LOG` naming the line and what is wrong with it.
 */
export function parseEventLine(
  line: string,
  lineNumber: number,
  options: ParseOptions = {},
): SessionEvent {
  const raw = parseRecord(line)
  const problem = typeof raw === 'string' ? raw : eventProblem(raw, options)
  if (problem !== undefined) {
    throw new SessionError('CORRUPT_LOG', `invalid session event at line ${lineNumber}: ${problem}`)
  }
  return sealParsed(raw as unknown as SessionEvent)
}

/**
 * Parses one line into the events that it stands for, in order. Callers count by `seq`, not by line:
 * a line may stand for several events.
 * @throws SessionError like `parseEventLine`.
 */
export function decodeRecordLine(
  line: string,
  lineNumber: number,
  options: ParseOptions = {},
): readonly SessionEvent[] {
  return [parseEventLine(line, lineNumber, options)]
}

function eventProblem(
  raw: Readonly<Record<string, unknown>>,
  options: ParseOptions,
): string | undefined {
  const problem = envelopeProblem(raw as { type: unknown }, options.tolerant)
  if (problem !== undefined) return problem
  if (!isCount(raw.seq)) return '"seq" must be a non-negative integer'
  if (!isCount(raw.time)) return '"time" must be epoch milliseconds'
  if (!('data' in raw)) return '"data" is missing'
  return undefined
}

/** The object in a line, or what is wrong with the line. */
function parseRecord(line: string): Record<string, unknown> | string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    return `not JSON (${(error as Error).message})`
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'not an object'
  return value as Record<string, unknown>
}

function headerError(problem: string): SessionError {
  return new SessionError('CORRUPT_LOG', `invalid session header at line 1: ${problem}`)
}
