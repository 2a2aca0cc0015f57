import type { RefusalCode } from './types.ts'

/** Whom a refusal concerns. Undefined `session`: the calls that name none. */
export interface RefusedAt {
  readonly lane?: number
  readonly session: string | undefined
}

/**
 * Remembers what was refused first in each lane, and to each session that has none. An agent may
 * handle a refusal and go on, and what it then asks for is no longer what was recorded.
 */
export class Poison {
  private readonly lanes = new Map<number, string>()
  private readonly sessions = new Map<string | undefined, string>()

  note(code: RefusalCode, message: string, { lane, session }: RefusedAt): void {
    // Who comes second to a lane has not touched the answers of the one that has it.
    if (lane === undefined || code === 'LANE_TAKEN') first(this.sessions, session, message)
    else first(this.lanes, lane, message)
  }

  /** What was refused first, in its words; undefined where nothing was. */
  find({ lane, session }: RefusedAt): string | undefined {
    return this.sessions.get(session) ?? (lane === undefined ? undefined : this.lanes.get(lane))
  }
}

function first<K>(refused: Map<K, string>, key: K, message: string): void {
  if (!refused.has(key)) refused.set(key, message)
}
