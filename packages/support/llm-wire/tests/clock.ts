import type { Clock } from 'dsh-brand'

interface Timer {
  readonly due: number
  readonly run: () => void
}

/** A clock that stands still until told: `advance` fires what is due, in order. */
export class ManualClock implements Clock {
  private time = 1_700_000_000_500
  private timers: Timer[] = []
  private watchers: (() => void)[] = []

  now(): number {
    return this.time
  }
  monotonic(): number {
    return this.time
  }
  after(ms: number, run: () => void): () => void {
    const timer = { due: this.time + ms, run }
    this.timers.push(timer)
    for (const watcher of this.watchers.splice(0)) watcher()
    return () => {
      this.timers = this.timers.filter((other) => other !== timer)
    }
  }
  get pending(): number {
    return this.timers.length
  }
  /** How long until the next timer. */
  get next(): number | undefined {
    const [first] = this.timers.map(({ due }) => due - this.time).sort((a, b) => a - b)
    return first
  }
  /** Resolves once a timer is set. */
  async timerSet(): Promise<void> {
    if (this.timers.length > 0) return
    await new Promise<void>((resolve) => this.watchers.push(resolve))
  }
  advance(ms: number): void {
    this.time += ms
    const due = this.timers.filter((timer) => timer.due <= this.time)
    this.timers = this.timers.filter((timer) => timer.due > this.time)
    for (const timer of due.sort((a, b) => a.due - b.due)) timer.run()
  }
}
