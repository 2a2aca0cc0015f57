import type { AgentContext, SessionUpdate } from '@agentclientprotocol/sdk'

/** How many updates may wait for a client that does not read. */
const MAX_PENDING_UPDATES = 100_000

export interface OutboxEvents {
  /** The client has stopped reading, or is gone: nothing more will reach it. Called once. */
  onBroken(reason: unknown): void
}

/**
 * Sends session updates in order. A failed send never throws into the session that caused it; the
 * connection is given up instead.
 */
export class Outbox {
  private readonly client: Pick<AgentContext, 'notify'>
  private readonly events: OutboxEvents
  private readonly limit: number
  private pending = 0
  private broken = false

  constructor(
    client: Pick<AgentContext, 'notify'>,
    events: OutboxEvents,
    limit: number = MAX_PENDING_UPDATES,
  ) {
    this.client = client
    this.events = events
    this.limit = limit
  }

  send(sessionId: string, update: SessionUpdate): void {
    if (this.broken) return
    if (this.pending >= this.limit) {
      this.giveUp(new Error(`the client has ${this.limit} unread updates; it does not read`))
      return
    }
    this.pending += 1
    this.client.notify('session/update', { sessionId, update }).then(
      () => {
        this.pending -= 1
      },
      (error: unknown) => this.giveUp(error),
    )
  }

  private giveUp(reason: unknown): void {
    if (this.broken) return
    this.broken = true
    this.events.onBroken(reason)
  }
}
