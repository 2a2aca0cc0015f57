import { isFields } from '../log/lines.ts'

/** A string that is normal already, in a place where a walk would look at it by itself. */
export class Settled {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** What becomes of the strings of a value. */
export interface Texts {
  readonly text: (text: string) => string
  /** For keys, and for the words by which the formats tell things apart. */
  readonly word: (word: string) => string
}

/** Where the formats, and not a model, a tool or a user, say which of a few things something is. */
const WORDS = new Set([
  'type',
  'blockType',
  'kind',
  'method',
  'jsonrpc',
  'sessionUpdate',
  'role',
  'status',
  'stopReason',
  'surfaceOp',
])

/** Rewrites every string of a JSON value, keys too; call ids keep their bytes. */
export function mapStrings(value: unknown, texts: Texts): unknown {
  if (value instanceof Settled) return value.text
  if (typeof value === 'string') return texts.text(value)
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, texts))
  if (!isFields(value)) return value
  const taken = new Set(Object.keys(value))
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    const wanted = texts.word(key)
    // Two aliases of one path may meet in one object: losing an entry would be worse than a path.
    const name = taken.has(wanted) ? key : wanted
    taken.add(name)
    if (isCallId(value, key)) return [name, item]
    const isWord = typeof item === 'string' && WORDS.has(key)
    return [name, isWord ? texts.word(item) : mapStrings(item, texts)]
  })
  return Object.fromEntries(entries)
}

/** Adds every call id in a value to `found`. */
export function collectCallIds(value: unknown, found: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) collectCallIds(item, found)
    return
  }
  if (!isFields(value)) return
  for (const [key, item] of Object.entries(value)) {
    if (!isCallId(value, key)) collectCallIds(item, found)
    else found.add(String(item).toLowerCase())
  }
}

const CARRIERS = new Set<unknown>(['tool-call', 'tool-call-delta'])

/** The provider made it and replay serves it again: a call id is data. */
function isCallId(owner: Readonly<Record<string, unknown>>, key: string): boolean {
  if (typeof owner[key] !== 'string') return false
  if (/(?:^c|C)allId$/.test(key)) return true
  // In a packed row the id stands beside the pieces; elsewhere beside the type.
  return key === 'id' && (CARRIERS.has(owner['type']) || Array.isArray(owner['args']))
}
