import { messageOf } from 'dsh-brand'
import { type SessionEvent, type SessionHeader, Surface } from 'dsh-session'
import { ReplayError } from '../error.ts'
import { isRecord, type JsonRecord } from '../json.ts'
import type { CallPosition } from '../types.ts'
import { HeaderWalk } from './header.ts'
import type { RecordedRequests } from './types.ts'

/** A log with what it was read from. */
export interface RecordedLog {
  readonly file: string
  readonly header: SessionHeader
  /** Every event with the line that it stands in. */
  readonly lines: ReadonlyMap<SessionEvent, number>
}

/** What tells that a call of a step has been made. */
const CALLED = new Set(['assistant/chunk', 'llm/failure'])

/**
 * Finds where in a log each of its calls was made. A step's attempts all ask for the same, so the
 * place of a retry is that of the first attempt.
 * @throws ReplayError `FIXTURE_INVALID` for a log that does not say what a call asked for: without a
 *   request header before it, or with one or a `surfaceOp` that cannot be applied
 */
export function recordedRequests(
  log: RecordedLog,
  positions: readonly CallPosition[],
): RecordedRequests {
  const events = [...log.lines.keys()]
  const before = callPlaces(events, log.header.seedLength ?? 0, positions)
  checkSurface(log, events)
  checkHeaders(log, events, before)
  return { events, before }
}

function callPlaces(
  events: readonly SessionEvent[],
  seedLength: number,
  positions: readonly CallPosition[],
): number[] {
  const before: number[] = []
  let at = 0
  let open: CallPosition | undefined
  for (const position of positions) {
    if (open === undefined || !isAt(open, position)) {
      open = position
      // Every position is that of an event here: it was derived from one.
      while (!opens(events[at] as SessionEvent, seedLength, position)) at += 1
    }
    before.push(at)
  }
  return before
}

function opens(event: SessionEvent, seedLength: number, position: CallPosition): boolean {
  if (event.seq < seedLength || !CALLED.has(event.type)) return false
  return isRecord(event.data) && isAt(event.data, position)
}

function isAt(place: JsonRecord | CallPosition, { turn, step }: CallPosition): boolean {
  return place.turn === turn && place.step === step
}

function checkSurface(log: RecordedLog, events: readonly SessionEvent[]): void {
  const surface = new Surface()
  for (const event of events) {
    const problem = surface.problem(event.surfaceOp)
    if (problem !== undefined) throw unknown(log, event, problem)
    surface.apply(event)
  }
}

function checkHeaders(
  log: RecordedLog,
  events: readonly SessionEvent[],
  before: readonly number[],
): void {
  const headers = new HeaderWalk(events)
  for (const [index, count] of before.entries()) {
    let header: ReturnType<HeaderWalk['after']>
    try {
      header = headers.after(count)
    } catch (error) {
      throw unknown(log, events[headers.walked] as SessionEvent, messageOf(error))
    }
    if (header === undefined) {
      const problem = `no request/header stands before call ${index + 1}`
      throw unknown(log, events[count] as SessionEvent, problem)
    }
  }
}

function unknown({ file, lines }: RecordedLog, event: SessionEvent, problem: string): ReplayError {
  return new ReplayError(
    'FIXTURE_INVALID',
    `${file}:${lines.get(event)}: ${problem}, so the log does not say what the model was asked. ` +
      'Record the scenario again, or take "requests": "strict" from it.',
  )
}
