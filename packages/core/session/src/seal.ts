import { findLoss } from './lossless.ts'

/** Gives the object back that it is given, so that a subclass puts its field on that. */
// oxlint-disable-next-line typescript/no-extraneous-class -- a function cannot be extended in types
class Given {
  constructor(value: object) {
    // oxlint-disable-next-line eslint/no-constructor-return -- the purpose of this class
    return value
  }
}

/**
 * The mark of what was frozen here, all the way down. The events of a fork seed pass through once
 * per child; that someone else froze a value proves nothing about its inside. A private field is seen
 * by nobody else and costs next to nothing, where a weak set of every event made loading slow.
 */
class Seal extends Given {
  // oxlint-disable-next-line eslint/no-unused-private-class-members -- that it is there is its value
  readonly #sealed = true

  static marks(value: object): boolean {
    return #sealed in value
  }
}

/** What came frozen, and so does not take a mark. */
const sealedFrozen = new WeakSet<object>()

function isSealed(value: object): boolean {
  return Seal.marks(value) || sealedFrozen.has(value)
}

function mark(value: object): void {
  if (Object.isExtensible(value)) new Seal(value)
  else sealedFrozen.add(value)
}

/**
 * Deeply freezes a lossless JSON value in place.
 * @returns why the value is not lossless JSON, with its path; nothing is frozen then.
 */
export function sealJson(value: unknown, path?: string): string | undefined {
  if (typeof value === 'object' && value !== null && isSealed(value)) return undefined
  const loss = findLoss(value, path)
  if (loss === undefined && typeof value === 'object' && value !== null) sealParsed(value)
  return loss
}

/**
 * Deeply freezes what was parsed from a log, and vouches for it: what a log holds is kept as it is,
 * a number that JSON would write differently included.
 */
export function sealParsed<T extends object>(value: T): T {
  if (isSealed(value)) return value
  // Only the whole is marked: a mark costs more than walking a few small objects.
  mark(value)
  return freezeInside(value)
}

/** Freezes and vouches for a new object whose inside is lossless JSON and frozen already. */
export function sealMade<T extends object>(value: T): T {
  mark(value)
  return Object.freeze(value)
}

/** Deeply freezes plain data in place and returns it. The caller vouches that it has no cycle. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || isSealed(value)) return value
  return freezeInside(value)
}

function freezeInside<T extends object>(value: T): T {
  for (const inner of Object.values(value)) deepFreeze(inner)
  return Object.freeze(value)
}
