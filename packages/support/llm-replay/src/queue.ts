/** Gives the first of its lanes that is still open. What has closed must not open again. */
export class Queue {
  private readonly lanes: readonly number[]
  private readonly isOpen: (lane: number) => boolean
  private at = 0

  constructor(lanes: readonly number[], isOpen: (lane: number) => boolean) {
    this.lanes = lanes
    this.isOpen = isOpen
  }

  first(): number | undefined {
    // Not from the start each time: over all sessions, each lane is passed once.
    for (; this.at < this.lanes.length; this.at++) {
      const lane = this.lanes[this.at] as number
      if (this.isOpen(lane)) return lane
    }
    return undefined
  }

  /** The first open lane that also satisfies a condition. */
  firstThat(accept: (lane: number) => boolean): number | undefined {
    this.first()
    return this.lanes.slice(this.at).find((lane) => this.isOpen(lane) && accept(lane))
  }
}
