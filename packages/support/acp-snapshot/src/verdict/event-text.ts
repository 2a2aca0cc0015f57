import { isFields, type Fields } from '../log/lines.ts'

/** Numbers that every event before a difference shifts: they say nothing of the event itself. */
const COUNTING: ReadonlySet<string> = new Set(['seq', 'time', 'sourceEventSeqs'])

/** An event without what merely counts it, as JSON; other values as they are. */
export function substance(value: unknown): string | undefined {
  if (!isFields(value) || !('seq' in value)) return JSON.stringify(value)
  const rest = Object.entries(value).filter(([key]) => !COUNTING.has(key))
  return JSON.stringify(Object.fromEntries(rest))
}

/** What sort of event, or of message of the protocol, a value is: two sorts have little to compare. */
export function sortOf(value: unknown): string | undefined {
  if (!isFields(value)) return undefined
  const { type, method } = value
  if (typeof type === 'string') return type
  if (typeof method !== 'string') return 'result' in value ? 'result' : undefined
  return `${method} ${updateOf(value)}`
}

function updateOf({ params }: Fields): string {
  const update = isFields(params) ? params['update'] : undefined
  return isFields(update) ? String(update['sessionUpdate']) : ''
}

/**
 * Whether what stands here on one side is too many, or left out, and both go on alike after it.
 * Undefined where neither is so, or where both could be.
 */
export function shiftBetween(
  [wanted, nextWanted]: readonly [unknown, unknown],
  [found, nextFound]: readonly [unknown, unknown],
): 'extra' | 'missing' | undefined {
  const same = (a: unknown, b: unknown): boolean => substance(a) === substance(b)
  // Where one side ends there is nothing after it that could fit.
  if (wanted === undefined || found === undefined || same(wanted, found)) return undefined
  const extra = same(wanted, nextFound)
  const missing = same(nextWanted, found)
  if (extra === missing) return undefined
  return extra ? 'extra' : 'missing'
}
