import type { Session, SpawnedBy } from 'dsh-session'
import type { SubagentOrigin } from './types.ts'

/** Hands out the places of children. */
export class Places {
  private readonly taken = new WeakMap<Session, Map<string, number>>()

  /** The place of the next child that is started there. */
  next(parent: Session, origin: SubagentOrigin): SpawnedBy {
    const { turn, step, ...starter } = startOf(parent, origin)
    const key = JSON.stringify([turn, step, starter.call, starter.plugin])
    const counts = this.taken.get(parent) ?? new Map<string, number>()
    const index = counts.get(key) ?? 0
    this.taken.set(parent, counts.set(key, index + 1))
    // Providers may leave call ids empty; absent is then the truth.
    const { callId, ...by } = starter
    return { turn, step, ...by, index, ...(callId !== undefined && callId !== '' && { callId }) }
  }
}

function startOf(parent: Session, origin: SubagentOrigin): Omit<SpawnedBy, 'index'> {
  if (origin.plugin !== undefined) return { ...lastStep(parent), plugin: origin.plugin }
  const { turn, step, call, callId } = origin
  return { turn, step, call, callId }
}

/** The turn and step that a session is in, or was in last. */
function lastStep({ events }: Session): { readonly turn: number; readonly step: number } {
  const start = events.findLast(({ type }) => type === 'turn/start' || type === 'step/start')
  const { turn, step } = (start?.data ?? {}) as { readonly turn?: unknown; readonly step?: unknown }
  return { turn: countOr0(turn), step: countOr0(step) }
}

function countOr0(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
