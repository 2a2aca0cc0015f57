import type { Session } from 'dsh-session'
import { Binder, type Binding, type LiveCaller } from './binder.ts'
import { bindableLanes, liveCaller, unknownCaller } from './caller.ts'
import type { Cursor } from './cursor.ts'
import { earlierCalls } from './live.ts'
import * as words from './messages.ts'
import type { LaneState } from './lane-state.ts'
import type { Refuse } from './refusal.ts'
import type { Report } from './report.ts'
import type { SessionScript } from './types.ts'

/** Gives callers their lanes, and keeps their cursors. */
export class Claims {
  private readonly scripts: readonly SessionScript[]
  private readonly report: Report
  private readonly refuse: Refuse
  private readonly findSession: (id: string) => Session | undefined
  private readonly binder: Binder
  private readonly cursors = new Map<string | undefined, Cursor>()
  /** Every session that called without having a lane, in that order. */
  private readonly callers = new Set<string>()

  constructor(
    scripts: readonly SessionScript[],
    report: Report,
    refuse: Refuse,
    findSession: (id: string) => Session | undefined,
  ) {
    this.scripts = scripts
    this.report = report
    this.refuse = refuse
    this.findSession = findSession
    this.binder = new Binder(bindableLanes(scripts))
  }

  /** The cursor of a caller that has a lane already. */
  get(session: string | undefined): Cursor | undefined {
    return this.cursors.get(session)
  }

  /** How far each lane was got through, by the furthest of its cursors. */
  reached(): number[] {
    const reached = this.scripts.map(() => 0)
    for (const { lane, made } of this.cursors.values()) {
      reached[lane] = Math.max(reached[lane] as number, made)
    }
    return reached
  }

  /**
   * Binds a session as soon as it is there, where its place decides. Where not, its first call will
   * say: a session that never calls is refused nothing.
   * @throws ReplayError for a loaded log that cannot be read, and `REPORT_FAILED`
   */
  created(session: Session): void {
    // A session that comes back keeps its cursor.
    if (this.cursors.has(session.id)) return
    const earlier = earlierCalls(session)
    const caller = liveCaller(session, this.findSession, earlier, this.scripts)
    const found = this.binder.findByPlace(caller)
    if (found !== undefined && 'rule' in found) this.bind(caller, found, earlier.length)
  }

  /**
   * Gives a caller that makes its first call its lane.
   * @throws ReplayError `UNRECORDED_SESSION`, `LANE_TAKEN`, and like `created`
   */
  claim(session: string | undefined): Cursor {
    if (session === undefined) {
      this.report.write({ event: 'bound', lane: 0, session: null, rule: 'anonymous' })
      return this.keep(undefined, 0, 0)
    }
    this.callers.add(session)
    const live = this.findSession(session)
    const earlier = live === undefined ? [] : earlierCalls(live)
    const caller =
      live === undefined
        ? unknownCaller(session)
        : liveCaller(live, this.findSession, earlier, this.scripts)
    const found = this.binder.find(caller)
    if (found !== undefined && 'rule' in found) return this.bind(caller, found, earlier.length)
    const code = found === undefined ? 'UNRECORDED_SESSION' : 'LANE_TAKEN'
    const message =
      found === undefined
        ? words.unrecordedSession(caller, [...this.callers].indexOf(session) + 1, this.states())
        : words.laneTaken(caller, found, this.states())
    const lane = found === undefined ? {} : { lane: found.lane }
    throw this.refuse(code, message, { ...lane, session })
  }

  /** Every lane with who has it and how far it was got through: what messages tell. */
  states(): LaneState[] {
    const reached = this.reached()
    return this.scripts.map((script, lane) => ({
      lane,
      script,
      holder: this.binder.holderOf(lane),
      made: reached[lane] as number,
    }))
  }

  private bind(caller: LiveCaller, { lane, rule }: Binding, after: number): Cursor {
    const [{ session, lineage }] = caller.chain
    // First the report: what it could not hold must not count as bound.
    this.report.write({
      event: 'bound',
      lane,
      session,
      rule,
      ...(lineage === undefined ? {} : { lineage }),
      ...(after === 0 ? {} : { after }),
    })
    this.binder.commit(caller, lane)
    return this.keep(session, lane, after)
  }

  private keep(session: string | undefined, lane: number, after: number): Cursor {
    const script = this.scripts[lane] as SessionScript
    const cursor: Cursor = {
      session,
      lane,
      script,
      after,
      made: after,
      lastStep: undefined,
      mapping: undefined,
    }
    this.cursors.set(session, cursor)
    return cursor
  }
}
