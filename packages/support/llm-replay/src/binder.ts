import type { BindingRule } from './types.ts'

/** What the binder has to know of a lane. */
export interface BindableLane {
  /** How many calls its script holds. */
  readonly calls: number
}

/** What the binder has to know of a live session that calls for the first time. */
export interface LiveCaller {
  /** Undefined for calls that name no session; all of those are one caller. */
  readonly session: string | undefined
  /** Calls that the session had made before it was loaded. */
  readonly earlierCalls: number
}

export interface Binding {
  readonly lane: number
  readonly rule: BindingRule
  /** How many of the lane's calls are behind the caller. */
  readonly after: number
}

/**
 * Gives live sessions their lanes. To be asked once per caller, at its first call; remembers what it
 * gave, so that no two sessions get one lane.
 *
 * Live ids never equal recorded ones, so the order of first calls decides: the first session gets
 * the first lane that holds calls, which is the primary's, and so on. Calls without a session go to
 * the primary's script and take it from nobody.
 * @returns undefined when no lane is left
 */
export function createBinder(
  lanes: readonly BindableLane[],
): (caller: LiveCaller) => Binding | undefined {
  const taken = new Set<number>()
  return ({ session, earlierCalls }) => {
    if (session === undefined) return { lane: 0, rule: 'anonymous', after: 0 }
    const lane = lanes.findIndex(({ calls }, index) => calls > 0 && !taken.has(index))
    if (lane < 0) return undefined
    taken.add(lane)
    const rule = earlierCalls > 0 ? 'resumed' : lane === 0 ? 'primary' : 'first-call'
    return { lane, rule, after: earlierCalls }
  }
}
