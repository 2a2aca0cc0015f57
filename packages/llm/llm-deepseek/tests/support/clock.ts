import type { Clock } from 'dsh-brand'

interface Timer {
  readonly ms: number
  readonly run: () => void
}

/** A clock whose timers fire when the test says so. */
export class ManualClock implements Clock {
  time = 1_700_000_000_000
  private readonly timers = new Set<Timer>()

  now(): number {
    return this.time
  }
  monotonic(): number {
    return this.time
  }
  after(ms: number, run: () => void): () => void {
    const timer = { ms, run }
    this.timers.add(timer)
    return () => void this.timers.delete(timer)
  }

  /** The durations of the timers that wait, in order of their start. */
  get pending(): readonly number[] {
    return [...this.timers].map(({ ms }) => ms)
  }

  /** Fires the one timer of this duration. */
  fire(ms: number): void {
    const found = [...this.timers].filter((timer) => timer.ms === ms)
    if (found.length !== 1)
      throw new Error(`${found.length} timers of ${ms} ms in ${this.pending.join(', ')}`)
    for (const timer of found) {
      this.timers.delete(timer)
      timer.run()
    }
  }
}
