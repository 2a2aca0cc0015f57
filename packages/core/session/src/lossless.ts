/**
 * Deeper values are refused: `JSON.stringify` recurses, and what cannot be written must not be
 * committed.
 */
export const MAX_DEPTH = 1000

/**
 * Says why a value would not survive `JSON.parse(JSON.stringify(value))` unchanged, with the path of
 * the place, or undefined when it would. Lossy are undefined, -0, NaN and infinities, BigInt,
 * functions, symbols, array holes, class instances, accessors, hidden or symbol keys, and cycles.
 */
export function findLoss(value: unknown, path = 'data'): string | undefined {
  const trail: object[] = []
  const loss = lossOf(value, trail)
  return loss === undefined ? undefined : `${path}${loss.path} ${loss.why}`
}

interface Loss {
  readonly why: string
  path: string
}

function lossOf(value: unknown, trail: object[]): Loss | undefined {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return undefined
  if (typeof value === 'object') return objectLoss(value, trail)
  if (typeof value === 'number') return numberLoss(value)
  return { why: `is ${value === undefined ? 'undefined' : `a ${typeof value}`}`, path: '' }
}

function numberLoss(value: number): Loss | undefined {
  if (Number.isFinite(value) && !Object.is(value, -0)) return undefined
  return { why: `is ${Object.is(value, -0) ? '-0' : String(value)}`, path: '' }
}

function objectLoss(value: object, trail: object[]): Loss | undefined {
  // A cycle always runs into the depth limit, so that only there its ancestors need comparing.
  if (trail.length === MAX_DEPTH) {
    const cyclic = new Set(trail).size < trail.length
    return { why: cyclic ? 'is part of a cycle' : `is nested deeper than ${MAX_DEPTH}`, path: '' }
  }
  trail.push(value)
  const loss = Array.isArray(value) ? arrayLoss(value, trail) : recordLoss(value, trail)
  trail.pop()
  return loss
}

function arrayLoss(value: readonly unknown[], trail: object[]): Loss | undefined {
  if (Object.getPrototypeOf(value) !== Array.prototype) return instanceLoss(value)
  for (let index = 0; index < value.length; index++) {
    if (!Object.hasOwn(value, index)) return { why: 'is a hole', path: `[${index}]` }
    const loss = propertyLoss(value, String(index), trail)
    if (loss !== undefined) {
      loss.path = shorten(`[${index}]${loss.path}`)
      return loss
    }
  }
  // `length` is the one key that an array has besides its elements.
  if (Reflect.ownKeys(value).length !== value.length + 1) {
    return { why: 'is an array with extra properties', path: '' }
  }
  return undefined
}

function recordLoss(value: object, trail: object[]): Loss | undefined {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return instanceLoss(value)
  const keys = Object.keys(value)
  if (Reflect.ownKeys(value).length !== keys.length) {
    return { why: 'has hidden or symbol keys', path: '' }
  }
  for (const key of keys) {
    const loss = propertyLoss(value, key, trail)
    if (loss !== undefined) {
      loss.path = shorten(`.${key}${loss.path}`)
      return loss
    }
  }
  return undefined
}

function propertyLoss(owner: object, key: string, trail: object[]): Loss | undefined {
  const property = Object.getOwnPropertyDescriptor(owner, key)
  if (property === undefined || !('value' in property)) {
    return { why: 'is an accessor', path: '' }
  }
  return lossOf(property.value, trail)
}

function instanceLoss(value: object): Loss {
  const { constructor } = value as { constructor?: { name?: unknown } }
  const name = typeof constructor?.name === 'string' ? constructor.name : 'class'
  return { why: `is an instance of ${name}`, path: '' }
}

/** The path into a deep structure ends up in a message, which must stay readable. */
function shorten(path: string): string {
  return path.length <= 200 ? path : `${path.slice(0, 100)}…${path.slice(-90)}`
}
