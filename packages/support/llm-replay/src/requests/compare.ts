import { isRecord, type JsonRecord } from '../json.ts'
import { isTime } from '../times.ts'

/** Where two JSON values part, and what stands there; undefined where that side has nothing. */
export interface JsonDifference {
  readonly path: readonly (string | number)[]
  readonly expected: unknown
  readonly actual: unknown
}

/** Whether two texts that are not equal mean the same. */
export type SameText = (expected: string, actual: string) => boolean

/**
 * The first difference, in the order of the expected value. Keys have an order, as they have in a
 * log; those whose value is undefined are not there. Durations and points in time do not count.
 */
export function firstDifference(
  expected: unknown,
  actual: unknown,
  sameText: SameText,
): JsonDifference | undefined {
  if (Object.is(expected, actual)) return undefined
  if (Array.isArray(expected) && Array.isArray(actual)) return inArrays(expected, actual, sameText)
  if (isRecord(expected) && isRecord(actual)) return inRecords(expected, actual, sameText)
  const same =
    typeof expected === 'string' && typeof actual === 'string' && sameText(expected, actual)
  return same ? undefined : { path: [], expected, actual }
}

function inArrays(
  expected: readonly unknown[],
  actual: readonly unknown[],
  sameText: SameText,
): JsonDifference | undefined {
  const length = Math.max(expected.length, actual.length)
  for (let at = 0; at < length; at += 1) {
    const found = firstDifference(expected[at], actual[at], sameText)
    if (found !== undefined) return below(at, found)
  }
  return undefined
}

function inRecords(
  expected: JsonRecord,
  actual: JsonRecord,
  sameText: SameText,
): JsonDifference | undefined {
  const [wanted, found] = [keysOf(expected), keysOf(actual)]
  for (const key of new Set([...wanted, ...found])) {
    const [left, right] = [timeless(key, expected[key]), timeless(key, actual[key])]
    const difference = firstDifference(left, right, sameText)
    if (difference !== undefined) return below(key, difference)
  }
  const ordered = wanted.every((key, at) => key === found[at])
  return ordered ? undefined : { path: [], expected: wanted, actual: found }
}

function below(key: string | number, difference: JsonDifference): JsonDifference {
  return { ...difference, path: [key, ...difference.path] }
}

function keysOf(value: JsonRecord): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined)
}

function timeless(key: string, value: unknown): unknown {
  return typeof value === 'number' && isTime(key, value) ? 0 : value
}
