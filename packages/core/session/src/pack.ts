import type { RowTag } from './storage-row.ts'
import type { SessionEvent, StorageRecord, StorageRow } from './types.ts'

/** Shorter runs are not worth a row. */
const SHORTEST_RUN = 3

const EVENT_KEYS = ['type', 'seq', 'time', 'data']
const DATA_KEYS = ['turn', 'step', 'chunk']
const TEXT_KEYS = ['type', 'index', 'text']
const CALL_KEYS = ['type', 'index', 'id', 'argumentsDelta']
const NAMED_CALL_KEYS = ['type', 'index', 'id', 'name', 'argumentsDelta']

/** A delta that a row can hold without loss. */
interface Member {
  readonly tag: RowTag
  readonly seq: number
  readonly time: number
  readonly turn: number
  readonly step: number
  readonly index: number
  readonly id: string | undefined
  readonly name: string | undefined
  readonly piece: string
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Folds each run of three or more consecutive deltas of one block into one row. Everything that is
 * not exactly such a delta is given back as it is, and ends the run. The events are lossless JSON,
 * as `Session.append` and the readers make sure.
 */
export function packChunkRuns(events: readonly SessionEvent[]): StorageRecord[] {
  const records: StorageRecord[] = []
  const packer = new ChunkPacker((record) => records.push(record))
  for (const event of events) packer.push(event)
  packer.end()
  return records
}

/** Packs a log that comes event by event; it holds back no more than the run at its end. */
export class ChunkPacker {
  private readonly emit: (record: StorageRecord) => void
  private events: SessionEvent[] = []
  private pieces: string[] = []
  private gaps: number[] = []
  private first: Member | undefined
  private last: Member | undefined

  constructor(emit: (record: StorageRecord) => void) {
    this.emit = emit
  }

  push(event: SessionEvent): void {
    const member = memberOf(event)
    if (member === undefined) {
      this.end()
      this.emit(event)
      return
    }
    if (this.last !== undefined && continues(this.last, member)) {
      this.gaps.push(member.time - this.last.time)
    } else {
      this.end()
      this.first = member
    }
    this.last = member
    this.events.push(event)
    this.pieces.push(member.piece)
  }

  /** Gives out what was held back. The next event starts a run of its own. */
  end(): void {
    const { first, events, pieces, gaps } = this
    if (first === undefined) return
    this.first = this.last = undefined
    this.events = []
    this.pieces = []
    this.gaps = []
    if (events.length < SHORTEST_RUN) for (const event of events) this.emit(event)
    else this.emit(rowOf(first, pieces, gaps))
  }
}

function rowOf(
  { tag, seq, time, turn, step, index, id, name }: Member,
  pieces: readonly string[],
  dt: readonly number[],
): StorageRow {
  const row = { seq0: seq, time0: time }
  if (tag !== 'tool-call-chunks') {
    return { type: tag, ...row, data: { turn, step, index, dt, texts: pieces } }
  }
  const call = name === undefined ? { id: id as string } : { id: id as string, name }
  return { type: tag, ...row, data: { turn, step, index, dt, ...call, args: pieces } }
}

function continues(last: Member, next: Member): boolean {
  return (
    last.tag === next.tag &&
    last.turn === next.turn &&
    last.step === next.step &&
    last.index === next.index &&
    last.id === next.id &&
    last.name === next.name &&
    last.seq + 1 === next.seq &&
    // A larger gap might be rounded, and every later time with it.
    Number.isSafeInteger(next.time - last.time)
  )
}

function memberOf(event: SessionEvent): Member | undefined {
  if (event.type !== 'assistant/chunk' || !hasExactly(event, EVENT_KEYS)) return undefined
  const { seq, time, data } = event
  if (!isInteger(seq) || seq < 0 || !isInteger(time) || !isFields(data)) return undefined
  const { turn, step, chunk } = data
  if (!isNumber(turn) || !isNumber(step) || !isFields(chunk)) return undefined
  if (!hasExactly(data, DATA_KEYS) || !isNumber(chunk.index)) return undefined
  const place = { seq, time, turn, step, index: chunk.index }
  switch (chunk.type) {
    case 'text-delta':
      return textMember('text-chunks', place, chunk)
    case 'reasoning-delta':
      return textMember('reasoning-chunks', place, chunk)
    case 'tool-call-delta':
      return callMember(place, chunk)
    default:
      return undefined
  }
}

type Place = Pick<Member, 'seq' | 'time' | 'turn' | 'step' | 'index'>

function textMember(tag: RowTag, place: Place, chunk: Fields): Member | undefined {
  const { text } = chunk
  if (typeof text !== 'string' || !hasExactly(chunk, TEXT_KEYS)) return undefined
  const { seq, time, turn, step, index } = place
  return { tag, seq, time, turn, step, index, id: undefined, name: undefined, piece: text }
}

function callMember(place: Place, chunk: Fields): Member | undefined {
  const { id, name, argumentsDelta: piece } = chunk
  if (typeof id !== 'string' || typeof piece !== 'string') return undefined
  const named = typeof name === 'string'
  if (!hasExactly(chunk, named ? NAMED_CALL_KEYS : CALL_KEYS)) return undefined
  const { seq, time, turn, step, index } = place
  const tag = 'tool-call-chunks'
  return { tag, seq, time, turn, step, index, id, name: named ? name : undefined, piece }
}

/** Whether these are the keys of a value, in whatever order. */
function hasExactly(value: object, keys: readonly string[]): boolean {
  const own = Object.keys(value)
  if (own.length !== keys.length) return false
  for (let index = 0; index < own.length; index++) {
    // The usual order is the one of the list.
    if (own[index] !== keys[index] && !keys.includes(own[index] as string)) return false
  }
  return true
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

/** A sum of 0 and gaps is never -0, and JSON has no such number. */
function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value) && !Object.is(value, -0)
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value) && !Object.is(value, -0)
}
