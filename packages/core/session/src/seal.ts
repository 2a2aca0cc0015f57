import { findLoss } from './lossless.ts'

/**
 * What was frozen here, all the way down. The events of a fork seed pass through once per child;
 * that someone else froze a value proves nothing about its inside.
 */
const sealed = new WeakSet<object>()

/**
 * Deeply freezes a lossless JSON value in place.
 * @returns why the value is not lossless JSON, with its path; nothing is frozen then.
 */
export function sealJson(value: unknown, path?: string): string | undefined {
  if (typeof value === 'object' && value !== null && sealed.has(value)) return undefined
  const loss = findLoss(value, path)
  if (loss === undefined && typeof value === 'object' && value !== null) sealParsed(value)
  return loss
}

/**
 * Deeply freezes what was parsed from a log, and vouches for it: what a log holds is kept as it is,
 * a number that JSON would write differently included.
 */
export function sealParsed<T extends object>(value: T): T {
  deepFreeze(value)
  // Only the whole is remembered: an entry costs more than walking a few small objects.
  sealed.add(value)
  return value
}

/** Remembers that a value is lossless JSON and frozen all the way down, on the caller's word. */
export function vouchFor(value: object): void {
  sealed.add(value)
}

/** Deeply freezes plain data in place and returns it. The caller vouches that it has no cycle. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || sealed.has(value)) return value
  for (const inner of Object.values(value)) deepFreeze(inner)
  return Object.freeze(value)
}
