/** The longest timer, in milliseconds (about 24.8 days): beyond it, the platform fires at once. */
export const MAX_TIMER_MS = 2_147_483_647

/**
 * The only source of time. Code takes a `Clock` so that tests decide what time it is and when a
 * timer fires.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds from an arbitrary start, never going back: for durations. */
  monotonic(): number
  /**
   * Calls `run` once after `ms` milliseconds (0 or more), never before `after` has returned. The
   * returned function cancels it and may be called at any time, any number of times. A pending
   * timer does not keep the process alive unless `keepAlive` is true. Longer than `MAX_TIMER_MS`
   * counts as `MAX_TIMER_MS`.
   */
  after(ms: number, run: () => void, options?: { readonly keepAlive?: boolean }): () => void
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, run, options) {
    const timer = setTimeout(run, Math.min(ms, MAX_TIMER_MS))
    if (options?.keepAlive !== true) timer.unref()
    return () => clearTimeout(timer)
  },
}

/** Resolves after `ms`, or as soon as `signal` aborts; never rejects. Leaves no timer behind. */
export function delay(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve()
      return
    }
    const finish = (): void => {
      cancel()
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    const cancel = clock.after(ms, finish, { keepAlive: true })
    signal?.addEventListener('abort', finish)
  })
}

/**
 * Resolves once the event loop has gone round: what waits for input or output gets its turn. For
 * loops whose awaits are all answered from memory, which would otherwise shut everything else out.
 */
export function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
