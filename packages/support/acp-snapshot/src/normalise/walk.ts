import { isFields } from '../log/lines.ts'

/** A string that is normal already, in a place where a walk would look at it by itself. */
export class Settled {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Rewrites every string of a JSON value, keys too; call ids keep their bytes. */
export function mapStrings(value: unknown, text: (text: string) => string): unknown {
  if (value instanceof Settled) return value.text
  if (typeof value === 'string') return text(value)
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, text))
  if (!isFields(value)) return value
  const taken = new Set(Object.keys(value))
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    const wanted = text(key)
    // Two aliases of one path may meet in one object: losing an entry would be worse than a path.
    const name = taken.has(wanted) ? key : wanted
    taken.add(name)
    return [name, isCallId(value, key) ? item : mapStrings(item, text)]
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
