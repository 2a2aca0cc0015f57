import type { AnyMessage } from '@agentclientprotocol/sdk'

interface Waiter {
  readonly session: string
  readonly kind: string
  left: number
  readonly reached: () => void
}

/**
 * Counts session updates as they come off the wire, whether or not the protocol's schema knows
 * their kind.
 */
export class UpdateCounter {
  private readonly waiters: Waiter[] = []

  /** Resolves at the `nth` update of a kind from now on; never, where it does not come. */
  wait(session: string, kind: string, nth: number): Promise<void> {
    return new Promise((reached) => {
      this.waiters.push({ session, kind, left: nth, reached })
    })
  }

  see(message: AnyMessage): void {
    const { session, kind } = updateOf(message)
    for (const waiter of this.waiters) {
      if (waiter.session !== session || waiter.kind !== kind) continue
      waiter.left -= 1
      if (waiter.left === 0) waiter.reached()
    }
  }
}

function updateOf(message: AnyMessage): { session?: unknown; kind?: unknown } {
  if (!('method' in message) || message.method !== 'session/update') return {}
  const params = message.params as
    | { readonly sessionId?: unknown; readonly update?: { readonly sessionUpdate?: unknown } }
    | null
    | undefined
  return { session: params?.sessionId, kind: params?.update?.sessionUpdate }
}
