import type { StreamChunk } from 'dsh-llm'
import { isCount, type SessionEvent } from 'dsh-session'
import { chunkProblem } from './chunk.ts'
import { ReplayError } from './error.ts'
import { type RecordedFailure, readFailure } from './failure.ts'
import { isRecord, show } from './json.ts'
import type { CallPosition } from './types.ts'

/** One model call as the log tells it. `finished` is false where no `finish` came. */
export interface CallGroup extends CallPosition {
  readonly chunks: readonly StreamChunk[]
  readonly finished: boolean
  /** What ended it, where the log says so. */
  readonly failure?: RecordedFailure
  /** The `seq` of its last event. */
  readonly lastSeq: number
}

type OpenGroup = { -readonly [K in keyof CallGroup]: CallGroup[K] } & {
  chunks: StreamChunk[]
  /** The `seq` of each chunk. */
  seqs: number[]
}

/**
 * Groups the chunks and failures of a log into model calls: consecutive ones of one (turn, step),
 * split also after every `finish`, after every failure and at every `llm/retry`, since a retry shares
 * its step. A failure without chunks is a call that brought none. One right after a `finish` belongs
 * to that call: its stream broke after the answer. Chunks before those that an answer names as its
 * sources are an attempt of its own: a log without outcomes tells in no other way that it failed.
 * @throws ReplayError `FIXTURE_INVALID` for a chunk or a failure that is none, naming its `seq`
 */
export function groupCalls(
  events: readonly SessionEvent[],
  file: string,
  lines?: ReadonlyMap<SessionEvent, number>,
): CallGroup[] {
  const groups: OpenGroup[] = []
  /** The call that the next event of its step goes on with. */
  let last: OpenGroup | undefined
  const open = ({ turn, step }: CallPosition, seq: number): OpenGroup => {
    last = { turn, step, chunks: [], seqs: [], finished: false, lastSeq: seq }
    groups.push(last)
    return last
  }
  for (const event of events) {
    const { type, seq } = event
    if (type === 'assistant/chunk') {
      const { chunk, ...place } = checkedChunk(event, placeOf(event, file, lines))
      const group = last?.finished === false && goesOn(last, place) ? last : open(place, seq)
      group.chunks.push(chunk)
      group.seqs.push(seq)
      group.finished = chunk.type === 'finish'
      group.lastSeq = seq
    } else if (type === 'llm/failure') {
      const failure = checkedFailure(event, placeOf(event, file, lines))
      const group = last !== undefined && goesOn(last, failure) ? last : open(failure, seq)
      group.failure = failure
      group.lastSeq = seq
      last = undefined
    } else if (type === 'llm/retry') {
      last = undefined
    } else if (type === 'assistant/message') {
      const group = groups.at(-1)
      const earlier = group === undefined ? undefined : splitOff(group, event)
      if (earlier !== undefined) groups.splice(-1, 0, earlier)
    }
  }
  return groups
}

/**
 * Takes what came before an answer's own chunks out of the call that they were taken for. Where the
 * sources are not exactly the last chunks, as after an edit by hand, they say nothing.
 */
function splitOff(
  { seqs, chunks, ...group }: OpenGroup,
  { sourceEventSeqs = [] }: SessionEvent,
): OpenGroup | undefined {
  const at = seqs.length - sourceEventSeqs.length
  if (at <= 0 || at === seqs.length) return undefined
  if (sourceEventSeqs.some((seq, index) => seq !== seqs[at + index])) return undefined
  const [earlier, own] = [chunks.splice(0, at), seqs.splice(0, at)]
  return { ...group, chunks: earlier, seqs: own, finished: false, lastSeq: own.at(-1) as number }
}

function goesOn(group: CallPosition, { turn, step }: CallPosition): boolean {
  return group.turn === turn && group.step === step
}

/** Where an event stands, and what to do about it where that is a file. */
interface EventPlace {
  readonly where: string
  readonly advice: string
}

function placeOf(
  event: SessionEvent,
  file: string,
  lines: ReadonlyMap<SessionEvent, number> | undefined,
): EventPlace {
  const line = lines?.get(event)
  if (line === undefined) return { where: file, advice: '' }
  const what = event.type === 'assistant/chunk' ? 'chunk' : 'event'
  return {
    where: `${file}:${line}`,
    advice: `; record the scenario again, or correct the ${what}`,
  }
}

function malformed(
  { type, seq }: SessionEvent,
  { where, advice }: EventPlace,
  problem: string,
): ReplayError {
  return new ReplayError(
    'FIXTURE_INVALID',
    `${where}: malformed ${type} at seq ${seq}: ${problem}${advice}`,
  )
}

function checkedFailure(event: SessionEvent, place: EventPlace): RecordedFailure {
  const failure = readFailure(event)
  if (typeof failure === 'string') throw malformed(event, place, failure)
  return failure
}

function checkedChunk(
  event: SessionEvent,
  place: EventPlace,
): CallPosition & { readonly chunk: StreamChunk } {
  const fail = (problem: string): ReplayError => malformed(event, place, problem)
  const { data } = event
  if (!isRecord(data)) throw fail(`"data" must be an object, not ${show(data)}`)
  const { turn, step, chunk } = data
  if (!isCount(turn)) throw fail(`"turn" must be an integer of 0 or more, not ${show(turn)}`)
  if (!isCount(step)) throw fail(`"step" must be an integer of 0 or more, not ${show(step)}`)
  const problem = chunkProblem(chunk)
  if (problem !== undefined) throw fail(problem)
  return { turn, step, chunk: chunk as StreamChunk }
}
