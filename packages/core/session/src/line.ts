import { messageOf } from 'dsh-brand'
import { envelopeProblem, isCount } from './envelope.ts'
import { SessionError } from './error.ts'
import { headerProblem, orderHeader } from './header.ts'
import { inKeyOrder } from './key-order.ts'
import { deepFreeze, sealParsed } from './seal.ts'
import { show } from './show.ts'
import { isRowTag, isStorageRow } from './storage-row.ts'
import {
  SESSION_FORMAT_VERSION,
  type SessionEvent,
  type SessionHeader,
  type StorageRecord,
} from './types.ts'
import { decodeStorageRecord } from './unpack.ts'

/** How strictly a log is read. */
export interface ParseOptions {
  /**
   * Accepts what hand-written logs have: no `version`, surface events without `surfaceOp`, and
   * (where a whole log is parsed) a `seq` that is not contiguous.
   */
  readonly tolerant?: boolean
}

const EVENT_KEYS = ['type', 'seq', 'time', 'data', 'sourceEventSeqs', 'surfaceOp']

/** One line of a log, without its line feed. */
export function serializeEvent(event: SessionEvent): string {
  return JSON.stringify(inKeyOrder(event, EVENT_KEYS))
}

/** One line of a log, an event or a packed row, without its line feed. */
export function serializeRecord(record: StorageRecord): string {
  return isStorageRow(record) ? JSON.stringify(record) : serializeEvent(record)
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
  return atLine(lineNumber, () => checkedEvent(parseRecordLine(line), options))
}

/**
 * Parses one line into the events that it stands for, in order: one, or the members of a packed
 * row. Frozen. Whether they follow the line before is not looked at: see `RecordReader`.
 * @throws SessionError like `parseEventLine`.
 */
export function decodeRecordLine(
  line: string,
  lineNumber: number,
  options: ParseOptions = {},
): readonly SessionEvent[] {
  return atLine(lineNumber, () => decodeChecked(parseRecordLine(line), options))
}

/**
 * The events of a parsed line in the complete form, frozen.
 * @throws SessionError `CORRUPT_LOG` saying what is wrong, but not where.
 */
export function decodeChecked(
  record: Readonly<Record<string, unknown>>,
  options: ParseOptions,
): readonly SessionEvent[] {
  if (!isRowTag(record.type)) return [checkedEvent(record, options)]
  const events = decodeStorageRecord(record)
  for (const { time } of events) {
    const problem = timeProblem(time)
    if (problem !== undefined) throw new SessionError('CORRUPT_LOG', problem)
  }
  return events
}

/** @throws SessionError `CORRUPT_LOG` saying why a line does not hold an object. */
export function parseRecordLine(line: string): Readonly<Record<string, unknown>> {
  const record = parseRecord(line)
  if (typeof record === 'string') throw new SessionError('CORRUPT_LOG', record)
  return record
}

function atLine<T>(lineNumber: number, run: () => T): T {
  try {
    return run()
  } catch (cause) {
    const message = `invalid session event at line ${lineNumber}: ${messageOf(cause)}`
    throw new SessionError('CORRUPT_LOG', message, { cause })
  }
}

function checkedEvent(raw: Readonly<Record<string, unknown>>, options: ParseOptions): SessionEvent {
  const problem = eventProblem(raw, options)
  if (problem !== undefined) throw new SessionError('CORRUPT_LOG', problem)
  return sealParsed(raw as unknown as SessionEvent)
}

function eventProblem(
  raw: Readonly<Record<string, unknown>>,
  options: ParseOptions,
): string | undefined {
  const problem = envelopeProblem(raw as { type: unknown }, options.tolerant)
  if (problem !== undefined) return problem
  if (!isCount(raw.seq)) return `"seq" must be a non-negative integer, not ${show(raw.seq)}`
  return timeProblem(raw.time) ?? ('data' in raw ? undefined : '"data" is missing')
}

/** A clock may stand before 1970: what was appended then must still load. */
function timeProblem(time: unknown): string | undefined {
  if (Number.isSafeInteger(time) && !Object.is(time, -0)) return undefined
  return `"time" must be epoch milliseconds, a safe integer, not ${show(time)}`
}

/** The object in a line, or what is wrong with the line. */
function parseRecord(line: string): Record<string, unknown> | string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    return `not JSON (${(error as Error).message})`
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return `expected an object, not ${show(value)}`
  }
  return value as Record<string, unknown>
}

function headerError(problem: string): SessionError {
  return new SessionError('CORRUPT_LOG', `invalid session header at line 1: ${problem}`)
}
