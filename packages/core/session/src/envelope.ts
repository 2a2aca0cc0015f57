import { show } from './show.ts'
import { isRowTag } from './storage-row.ts'
import { SURFACE_TYPES, type SurfaceOp, type SurfaceType } from './types.ts'

const surfaceTypes: ReadonlySet<string> = new Set(SURFACE_TYPES)

/** Whether events of this type make up the conversation. */
export function isSurfaceType(type: string): type is SurfaceType {
  return surfaceTypes.has(type)
}

/** A non-negative safe integer: a position, a count, a time. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && !Object.is(value, -0)
}

/** Whether a value is a surface operation, with no key too many. */
export function isSurfaceOp(value: unknown): value is SurfaceOp {
  if (value === 'append') return true
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { op, start, end } = value as Record<string, unknown>
  return op === 'replace' && isCount(start) && isCount(end) && Object.keys(value).length === 3
}

/** The parts of an envelope that depend on the type. */
export interface EnvelopeTail {
  readonly type: unknown
  readonly sourceEventSeqs?: unknown
  readonly surfaceOp?: unknown
}

/**
 * Says what is wrong with the type and the optional half of an envelope, or undefined.
 * @param tolerant accepts a surface event without `surfaceOp`, as hand-written logs have them.
 */
export function envelopeProblem(event: EnvelopeTail, tolerant = false): string | undefined {
  const { type, sourceEventSeqs, surfaceOp } = event
  if (typeof type !== 'string' || type === '') {
    return `"type" must be a non-empty string, not ${show(type)}`
  }
  // A line of such a type is not an event, so that one could not be read back.
  if (type === 'session' || isRowTag(type)) {
    return `"type" must not be "${type}", which is not an event`
  }
  if (!surfaceTypes.has(type)) {
    if (surfaceOp !== undefined) return `"surfaceOp" is not allowed on "${type}"`
    if (sourceEventSeqs !== undefined) return `"sourceEventSeqs" is not allowed on "${type}"`
    return undefined
  }
  if (surfaceOp === undefined) {
    if (!tolerant) return `"surfaceOp" is required on "${type}"`
  } else if (!isSurfaceOp(surfaceOp)) {
    return '"surfaceOp" must be "append" or exactly {op:"replace",start,end} with two seqs'
  }
  if (sourceEventSeqs === undefined) return undefined
  if (Array.isArray(sourceEventSeqs) && sourceEventSeqs.every(isCount)) return undefined
  return '"sourceEventSeqs" must be an array of seqs'
}
