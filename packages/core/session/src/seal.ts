import { findLoss } from './lossless.ts'

/**
 * What was checked and frozen here, all the way down. Content blocks and fork seeds pass through
 * several times; frozen by someone else proves nothing about the inside.
 */
const sealed = new WeakSet<object>()

/**
 * Deeply freezes a lossless JSON value in place.
 * @returns why the value is not lossless JSON, with its path; nothing is frozen then.
 */
export function sealJson(value: unknown, path?: string): string | undefined {
  if (typeof value === 'object' && value !== null && sealed.has(value)) return undefined
  const loss = findLoss(value, path)
  if (loss === undefined) deepFreeze(value)
  return loss
}

/** Deeply freezes plain data in place and returns it. The caller vouches that it has no cycle. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || sealed.has(value)) return value
  for (const inner of Object.values(value)) deepFreeze(inner)
  Object.freeze(value)
  sealed.add(value)
  return value
}
