import { type Clock, systemClock } from 'dsh-brand'

/** Timers of some lengths wait for the test; all others run on the machine's clock. */
export class HeldClock implements Clock {
  private readonly held: ReadonlySet<number>
  private readonly timers = new Map<number, Set<() => void>>()
  private readonly watchers = new Map<number, () => void>()

  constructor(...held: number[]) {
    this.held = new Set(held)
  }

  now(): number {
    return systemClock.now()
  }

  monotonic(): number {
    return systemClock.monotonic()
  }

  after(ms: number, run: () => void, options?: { readonly keepAlive?: boolean }): () => void {
    if (!this.held.has(ms)) return systemClock.after(ms, run, options)
    const timers = this.timers.get(ms) ?? new Set()
    this.timers.set(ms, timers.add(run))
    this.watchers.get(ms)?.()
    return () => timers.delete(run)
  }

  /** Resolves as soon as a timer of this length is armed. */
  async armed(ms: number): Promise<void> {
    if (this.pending(ms) > 0) return
    await new Promise<void>((resolve) => {
      this.watchers.set(ms, resolve)
    })
  }

  pending(ms: number): number {
    return this.timers.get(ms)?.size ?? 0
  }

  fire(ms: number): void {
    for (const run of this.timers.get(ms) ?? []) run()
  }
}
