import type { SessionEvent } from 'dsh-session'

/** A lane's log as far as it implies what the calls of the lane asked for. */
export interface RecordedRequests {
  /** All of them, those that a fork inherited included: its history begins with them. */
  readonly events: readonly SessionEvent[]
  /** By entry: how many of the events the call was made after. Never decreases. */
  readonly before: readonly number[]
}

/** The first place in which a live request is not the one that the recording implies. */
export interface RequestDifference {
  /** As `messages[4].content[0].text`: within `config`, `system`, `tools` or `messages`. */
  readonly path: string
  /** JSON text, cut to where the two part; absent where this side has nothing there. */
  readonly expected?: string
  readonly actual?: string
}
