import type { SessionEvent } from 'dsh-session'
import { isCount, isRecord, type JsonRecord, show } from './json.ts'

const PAYLOAD = {
  'text-chunks': { list: 'texts', type: 'text-delta', field: 'text' },
  'reasoning-chunks': { list: 'texts', type: 'reasoning-delta', field: 'text' },
  'tool-call-chunks': { list: 'args', type: 'tool-call-delta', field: 'argumentsDelta' },
} as const
type RowTag = keyof typeof PAYLOAD

export function isRowTag(type: unknown): type is RowTag {
  return typeof type === 'string' && Object.hasOwn(PAYLOAD, type)
}

/**
 * Gives back the `assistant/chunk` events that a packed row stands for.
 * @throws TypeError when the row does not describe them completely
 */
export function expandRow(row: JsonRecord): SessionEvent[] {
  const tag = row.type as RowTag
  const fail = (why: string): TypeError => new TypeError(`malformed ${tag} storage row: ${why}`)
  const { list, type, field } = PAYLOAD[tag]
  const { seq0, time0, data } = row
  if (!isCount(seq0)) throw fail(`seq0 is ${show(seq0)}`)
  if (typeof time0 !== 'number') throw fail(`time0 is ${show(time0)}`)
  if (!isRecord(data)) throw fail(`data is ${show(data)}`)
  const { turn, step, index, dt, id, name } = data
  for (const [key, value] of Object.entries({ turn, step, index })) {
    if (typeof value !== 'number') throw fail(`${key} is ${show(value)}`)
  }
  const call = tag === 'tool-call-chunks'
  if (call && typeof id !== 'string') throw fail(`id is ${show(id)}`)
  if (call && name !== undefined && typeof name !== 'string') throw fail(`name is ${show(name)}`)
  const payloads = data[list]
  if (!Array.isArray(payloads) || payloads.length === 0) throw fail(`${list} is ${show(payloads)}`)
  const gaps: unknown[] = Array.isArray(dt) ? dt : []
  if (gaps.length !== payloads.length - 1) {
    throw fail(`dt length ${gaps.length} does not match ${payloads.length} members`)
  }
  const identity = { ...(call ? { id } : {}), ...(name === undefined ? {} : { name }) }
  let time = time0
  return payloads.map((payload, member) => {
    if (typeof payload !== 'string') throw fail(`${list}[${member}] is ${show(payload)}`)
    const gap = member === 0 ? 0 : gaps[member - 1]
    if (typeof gap !== 'number') throw fail(`dt[${member - 1}] is ${show(gap)}`)
    time += gap
    const chunk = { type, index, ...identity, [field]: payload }
    return { type: 'assistant/chunk', seq: seq0 + member, time, data: { turn, step, chunk } }
  })
}
