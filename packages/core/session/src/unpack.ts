import { isCount } from './envelope.ts'
import { SessionError } from './error.ts'
import { sealMade } from './seal.ts'
import { show } from './show.ts'
import { type RowShape, rowShape } from './storage-row.ts'
import type { SessionEvent } from './types.ts'

type Fields = Readonly<Record<string, unknown>>

const ROW_KEYS = ['type', 'seq0', 'time0', 'data']

/**
 * Gives back the events that a stored record stands for: of a packed row exactly those that were
 * packed, deeply frozen; anything else is one event, passed through as it is.
 * @throws SessionError `CORRUPT_LOG`, `malformed <tag> storage row: <why>`, for a row that is not
 *   exactly as the encoder writes it.
 */
export function decodeStorageRecord(record: unknown): SessionEvent[] {
  const shape = isFields(record) ? rowShape(record.type) : undefined
  return shape === undefined ? [record as SessionEvent] : unpackRow(record as Fields, shape)
}

function unpackRow(row: Fields, shape: RowShape): SessionEvent[] {
  const fail = (why: string): never => {
    throw new SessionError('CORRUPT_LOG', `malformed ${shape.tag} storage row: ${why}`)
  }
  checkKeys('keys are', row, ROW_KEYS, fail)
  const { seq0, time0, data } = row
  if (!isCount(seq0)) return fail(`seq0 is ${show(seq0)}, expected a non-negative safe integer`)
  if (!Number.isSafeInteger(time0)) return fail(`time0 is ${show(time0)}, expected a safe integer`)
  if (!isFields(data)) return fail(`data is ${show(data)}, expected an object`)
  const { turn, step, index, dt, id, name } = data
  const call = shape.tag === 'tool-call-chunks'
  const named = call && Object.hasOwn(data, 'name')
  const own = [...(call ? ['id'] : []), ...(named ? ['name'] : []), shape.pieces]
  checkKeys('data keys are', data, ['turn', 'step', 'index', 'dt', ...own], fail)
  for (const [key, value] of Object.entries({ turn, step, index })) {
    if (!Number.isFinite(value)) fail(`${key} is ${show(value)}, expected a number`)
  }
  if (call && typeof id !== 'string') fail(`id is ${show(id)}, expected a string`)
  if (named && typeof name !== 'string') fail(`name is ${show(name)}, expected a string`)
  const pieces = data[shape.pieces]
  if (!Array.isArray(pieces) || pieces.length === 0) {
    return fail(`${shape.pieces} is ${show(pieces)}, expected a list of one or more strings`)
  }
  if (!Array.isArray(dt)) return fail(`dt is ${show(dt)}, expected a list of numbers`)
  if (dt.length !== pieces.length - 1) {
    return fail(`dt length ${dt.length} does not match ${pieces.length} members`)
  }
  if (!isCount(seq0 + dt.length)) {
    return fail(`seq0 is ${seq0}, too large for ${pieces.length} members`)
  }
  const chunkOf = chunkMaker(shape, data)
  const events: SessionEvent[] = []
  let time = time0 as number
  for (let member = 0; member < pieces.length; member++) {
    const piece: unknown = pieces[member]
    if (typeof piece !== 'string') {
      return fail(`${shape.pieces}[${member}] is ${show(piece)}, expected a string`)
    }
    if (member > 0) time = later(time, dt[member - 1], member - 1, fail)
    const inner = Object.freeze({ turn, step, chunk: chunkOf(piece) })
    events.push(sealMade({ type: 'assistant/chunk', seq: seq0 + member, time, data: inner }))
  }
  return events
}

/** One literal per kind: objects that are made alike are read fast. */
function chunkMaker({ tag, chunk: type }: RowShape, data: Fields): (piece: string) => object {
  const { index, id, name } = data
  if (tag !== 'tool-call-chunks') return (text) => Object.freeze({ type, index, text })
  return name === undefined
    ? (argumentsDelta) => Object.freeze({ type, index, id, argumentsDelta })
    : (argumentsDelta) => Object.freeze({ type, index, id, name, argumentsDelta })
}

function later(time: number, gap: unknown, at: number, fail: (why: string) => never): number {
  if (!Number.isFinite(gap)) return fail(`dt[${at}] is ${show(gap)}, expected a finite number`)
  const next = time + (gap as number)
  if (Math.abs(next) <= Number.MAX_SAFE_INTEGER) return next
  return fail(`dt[${at}] is ${show(gap)}, which leads beyond the safe integers`)
}

function checkKeys(
  what: string,
  value: Fields,
  keys: readonly string[],
  fail: (why: string) => never,
): void {
  const own = Object.keys(value)
  if (own.length === keys.length && own.every((key) => keys.includes(key))) return
  fail(`${what} ${show(own)}, expected exactly ${show(keys)}`)
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
