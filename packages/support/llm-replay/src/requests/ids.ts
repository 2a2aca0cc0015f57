import { isUuid, UUID_PATTERN } from '../uuid.ts'

const TOKEN = '\\{\\{(?:sessionId|session(?:\\.\\d+)?|id\\.\\d+)\\}\\}'
const ID = new RegExp(`${UUID_PATTERN}|${TOKEN}`, 'g')

/**
 * Which live id stands for which recorded one, in all of a scenario: an id is new in every run, and
 * it is the same wherever it stands. Recorded ids are tokens or UUIDs, live ones are UUIDs.
 */
export class IdBook {
  private readonly live = new Map<string, string>()
  private readonly recorded = new Map<string, string>()

  /** Notes that a live session is a recorded one. */
  pair(recorded: string, live: string): void {
    this.live.set(keyOf(recorded), keyOf(live))
    this.recorded.set(keyOf(live), keyOf(recorded))
  }

  /**
   * Whether two texts are the same but for ids, and those that differ go together. If so, that is
   * noted of those which are met for the first time.
   */
  agree(recorded: string, live: string): boolean {
    const [left, right] = [idsOf(recorded), idsOf(live)]
    // There is one part more than ids, so these are as many too.
    if (JSON.stringify(left.rest) !== JSON.stringify(right.rest)) return false
    const found = new IdBook()
    for (const [at, id] of left.ids.entries()) {
      const other = right.ids[at] as string
      // What the model said it says again, recorded ids included.
      if (id === other) continue
      if (!isUuid(other)) return false
      const known = this.live.get(id) ?? found.live.get(id) ?? other
      const owner = this.recorded.get(other) ?? found.recorded.get(other) ?? id
      if (known !== other || owner !== id) return false
      found.pair(id, other)
    }
    for (const [id, other] of found.live) this.pair(id, other)
    return true
  }

  /** A live text with the recorded ids in it, as far as they are known. */
  inRecorded(live: string): string {
    return live.replace(ID, (id) => this.recorded.get(keyOf(id)) ?? id)
  }
}

function idsOf(text: string): {
  readonly ids: readonly string[]
  readonly rest: readonly string[]
} {
  return { ids: Array.from(text.matchAll(ID), ([id]) => keyOf(id)), rest: text.split(ID) }
}

/** UUIDs are compared without regard to case, as they are defined. */
function keyOf(id: string): string {
  return isUuid(id) ? id.toLowerCase() : id
}
