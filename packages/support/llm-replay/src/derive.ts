import type { StreamChunk } from 'dsh-llm'
import { isCount, type SessionEvent, type SessionHeader } from 'dsh-session'
import { chunkProblem } from './chunk.ts'
import { ReplayError } from './error.ts'
import { isRecord, show } from './json.ts'
import type { CallPosition, ReplayEntry } from './types.ts'

/** The part of a header that says where a session's own events begin. */
export type SeedBoundary = Pick<SessionHeader, 'seedLength'>

/** One model call as its chunks tell it. `finished` is false where no `finish` came. */
export interface CallGroup extends CallPosition {
  readonly chunks: readonly StreamChunk[]
  readonly finished: boolean
  /** The `seq` of its last chunk. */
  readonly lastSeq: number
}

/** The session's own events, without those that a fork inherited. */
export function ownEvents(
  events: readonly SessionEvent[],
  header: SeedBoundary | undefined,
): readonly SessionEvent[] {
  const seedLength = header?.seedLength ?? 0
  return seedLength === 0 ? events : events.filter((event) => event.seq >= seedLength)
}

/**
 * Groups the chunks of a log into model calls: consecutive chunks of one (turn, step), split also
 * after every `finish`, since a retry shares its step.
 * @throws ReplayError `FIXTURE_INVALID` for a chunk that is none, naming its `seq`
 */
export function groupCalls(
  events: readonly SessionEvent[],
  file: string,
  lines?: ReadonlyMap<SessionEvent, number>,
): CallGroup[] {
  const groups: (CallGroup & { chunks: StreamChunk[]; finished: boolean; lastSeq: number })[] = []
  for (const event of events) {
    if (event.type !== 'assistant/chunk') continue
    const { turn, step, chunk } = checkedChunk(event, placeOf(event, file, lines))
    let group = groups.at(-1)
    if (group === undefined || group.finished || group.turn !== turn || group.step !== step) {
      group = { turn, step, chunks: [], finished: false, lastSeq: event.seq }
      groups.push(group)
    }
    group.chunks.push(chunk)
    group.finished = chunk.type === 'finish'
    group.lastSeq = event.seq
  }
  return groups
}

/**
 * Turns a recorded log into what it answers, one entry per model call; events of other types are
 * ignored. With a header, only events after the inherited ones count. `file` only names the log in
 * messages.
 * @throws ReplayError `FIXTURE_INVALID` for a malformed chunk, and for a call without `finish`
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
  return groups.map(({ turn, step, chunks, finished, lastSeq }, index) => {
    const patch = patches?.get(index)
    if (patch !== undefined) return { position: { turn, step }, entry: patch }
    if (!finished) {
      throw new ReplayError(
        'FIXTURE_INVALID',
        `model call ${turn}/${step} ended without a finish chunk (${file}, last chunk at seq ${lastSeq}). ` +
          'The log does not say whether the call failed or was cancelled: put a replay.override.json ' +
          '(for session.<n>.jsonl: replay.override.<n>.json) beside it, as ' +
          `{"patches":[{"at":${index},"entry":…}]} with a "throw" or a "hang" entry.`,
      )
    }
    return { position: { turn, step }, entry: { kind: 'chunks', chunks } }
  })
}

/** Where a chunk stands, and what to do about it where that is a file. */
interface ChunkPlace {
  readonly where: string
  readonly advice: string
}

function placeOf(
  event: SessionEvent,
  file: string,
  lines: ReadonlyMap<SessionEvent, number> | undefined,
): ChunkPlace {
  const line = lines?.get(event)
  if (line === undefined) return { where: file, advice: '' }
  return { where: `${file}:${line}`, advice: '; record the scenario again, or correct the chunk' }
}

function checkedChunk(
  event: SessionEvent,
  { where, advice }: ChunkPlace,
): CallPosition & { readonly chunk: StreamChunk } {
  const fail = (problem: string): ReplayError =>
    new ReplayError(
      'FIXTURE_INVALID',
      `${where}: malformed assistant/chunk at seq ${event.seq}: ${problem}${advice}`,
    )
  const { data } = event
  if (!isRecord(data)) throw fail(`"data" must be an object, not ${show(data)}`)
  const { turn, step, chunk } = data
  if (!isCount(turn)) throw fail(`"turn" must be an integer of 0 or more, not ${show(turn)}`)
  if (!isCount(step)) throw fail(`"step" must be an integer of 0 or more, not ${show(step)}`)
  const problem = chunkProblem(chunk)
  if (problem !== undefined) throw fail(problem)
  return { turn, step, chunk: chunk as StreamChunk }
}
