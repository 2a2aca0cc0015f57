import { isFields } from '../log/lines.ts'
import { formatPath } from '../log/path.ts'
import type { Difference } from './types.ts'

/** Where two JSON values part, and what stands there. */
export type Parting = Pick<Difference, 'path' | 'expected' | 'actual'>

/** The first place, in reading order, where the JSON texts of two values part. */
export function firstParting(expected: unknown, actual: unknown): Parting | undefined {
  return part(expected, actual, [])
}

function part(
  expected: unknown,
  actual: unknown,
  path: readonly PropertyKey[],
): Parting | undefined {
  const [left, right] = [JSON.stringify(expected), JSON.stringify(actual)]
  if (left === right) return undefined
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const longest = Math.max(expected.length, actual.length)
    for (let index = 0; index < longest; index += 1) {
      const inside = part(expected[index], actual[index], [...path, index])
      if (inside !== undefined) return inside
    }
  } else if (isFields(expected) && isFields(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      const inside = part(expected[key], actual[key], [...path, key])
      if (inside !== undefined) return inside
    }
    // Every value agrees, so the order of the keys is what does not.
    return {
      path: formatPath(path),
      expected: `keys ${Object.keys(expected).join(', ')}`,
      actual: `keys ${Object.keys(actual).join(', ')}`,
    }
  }
  return { path: formatPath(path), expected: left, actual: right }
}
