import type { Message } from 'dsh-llm'
import { type SessionEvent, Surface } from 'dsh-session'

/** Follows the conversation through a log: the walk by which a live session has its own. */
export class HistoryWalk {
  private readonly events: readonly SessionEvent[]
  private readonly surface = new Surface()
  private walked = 0

  constructor(events: readonly SessionEvent[]) {
    this.events = events
  }

  /** The messages after the first `count` events, no fewer than before. One event gives one object. */
  after(count: number): readonly Message[] {
    for (; this.walked < count; this.walked += 1) {
      this.surface.apply(this.events[this.walked] as SessionEvent)
    }
    return this.surface.messages()
  }
}
