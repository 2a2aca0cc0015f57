import type { SessionEvent, SessionHeader } from 'dsh-session'
import { type CallGroup, groupCalls } from './call-groups.ts'
import { ReplayError } from './error.ts'
import type { CallPosition, ReplayEntry } from './types.ts'

/** The part of a header that says where a session's own events begin. */
export type SeedBoundary = Pick<SessionHeader, 'seedLength'>

/** The session's own events, without those that a fork inherited. */
export function ownEvents(
  events: readonly SessionEvent[],
  header: SeedBoundary | undefined,
): readonly SessionEvent[] {
  const seedLength = header?.seedLength ?? 0
  return seedLength === 0 ? events : events.filter((event) => event.seq >= seedLength)
}

/**
 * Turns a recorded log into what it answers, one entry per model call; events that are no chunks and
 * no outcomes are ignored. With a header, only events after the inherited ones count. `file` only
 * names the log in messages.
 * @throws ReplayError `FIXTURE_INVALID` for a malformed chunk or failure, and for a call of which the
 *   log does not say how it ended
 */
export function deriveReplayScript(
  events: readonly SessionEvent[],
  header?: SeedBoundary,
  file: string = 'session log',
): ReplayEntry[] {
  return deriveCalls(ownEvents(events, header), file).map((call) => call.entry)
}

/** A derived entry with its place in the log. */
export interface DerivedCall {
  readonly position: CallPosition
  readonly entry: ReplayEntry
}

/** How a log is read. */
export interface DeriveOptions {
  /** Where each event stands in its file, for messages. */
  readonly lines?: ReadonlyMap<SessionEvent, number>
  /** What replaces some of so many calls. A call that is replaced may have no end. */
  readonly patched?: (calls: number) => ReadonlyMap<number, ReplayEntry>
}

export function deriveCalls(
  events: readonly SessionEvent[],
  file: string,
  { lines, patched }: DeriveOptions = {},
): DerivedCall[] {
  const groups = groupCalls(events, file, lines)
  const patches = patched?.(groups.length)
  return groups.map((group, index) => ({
    position: { turn: group.turn, step: group.step },
    entry: patches?.get(index) ?? entryOf(group, index, file),
  }))
}

function entryOf(group: CallGroup, index: number, file: string): ReplayEntry {
  const { turn, step, chunks, finished, failure, lastSeq } = group
  if (failure?.kind === 'aborted') return { kind: 'hang', chunks }
  if (failure !== undefined) {
    const { message, code, status, retryAfterMs } = failure
    return {
      kind: 'throw',
      chunks,
      message,
      ...(code !== undefined && { code }),
      ...(status !== undefined && { status }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    }
  }
  if (finished) return { kind: 'chunks', chunks }
  throw new ReplayError(
    'FIXTURE_INVALID',
    `model call ${turn}/${step} ended without a finish chunk (${file}, last chunk at seq ${lastSeq}). ` +
      'The log does not say whether the call failed or was cancelled: put a replay.override.json ' +
      '(for session.<n>.jsonl: replay.override.<n>.json) beside it, as ' +
      `{"patches":[{"at":${index},"entry":…}]} with a "throw" or a "hang" entry.`,
  )
}
