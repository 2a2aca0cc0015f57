import type { SessionEvent } from 'dsh-session'

/**
 * What a fork inherits: all that its parent has completed. The turn in flight is left out, since its
 * tool call, the very one that forks, has no result yet.
 */
export function seedOf(events: readonly SessionEvent[]): readonly SessionEvent[] {
  return events.slice(0, events.findLastIndex(({ type }) => type === 'turn/end') + 1)
}
