import { Queue } from './queue.ts'
import type { BindingRule } from './types.ts'

/** What the binder has to know of a recorded session. Lanes are named by their index. */
export interface BindableLane {
  /** How many calls its script holds. */
  readonly calls: number
  /** The lane that started it; undefined for roots, and where the parent was not recorded. */
  readonly parent: number | undefined
  /** Whether a session started it, recorded or not. */
  readonly child: boolean
  /** Among the children of its parent, or among roots, as `placeKey` writes it. */
  readonly place: string | undefined
  readonly lineage: string | undefined
}

/** A live session, or the parent of one, as far as it is known. */
export interface LiveNode {
  readonly session: string
  readonly place: string | undefined
  readonly lineage: string | undefined
}

/** What the binder has to know of a live session that has no lane yet. */
export interface LiveCaller {
  /** The session, then its parents upwards as far as they are known. */
  readonly chain: readonly [LiveNode, ...LiveNode[]]
  /** Whether the session's header is at hand: without it, that it has no parent says nothing. */
  readonly known: boolean
  /** Whether the chain goes up to a root. */
  readonly whole: boolean
  /** Of a session that made calls before it was loaded: whether its log begins like a lane. */
  readonly resumes?: ((lane: number) => boolean) | undefined
}

export interface Binding {
  readonly lane: number
  readonly rule: BindingRule
}

/** The lane to which a session belongs by its place is another's, or its parent's lane is. */
export interface Taken {
  readonly lane: number
  readonly takenBy: string
}

interface Family {
  readonly byPlace: ReadonlyMap<string, number>
  readonly placed: Queue
  readonly unplaced: Queue
}

/**
 * Decides which live session belongs to which lane, so that the live delegation tree lies on the
 * recorded one. Two sessions never get one lane, and a session keeps its lane.
 *
 * Asking changes nothing; `commit` does. What a session costs does not grow with their number, but
 * for those whose parent has no lane and those that were loaded without a lineage.
 */
export class Binder {
  private readonly lanes: readonly BindableLane[]
  private readonly byLineage = new Map<string, number>()
  private readonly families = new Map<number | undefined, Family>()
  private readonly everyone: Queue
  private readonly holders = new Map<number, string>()
  private readonly laneOf = new Map<string, number>()

  constructor(lanes: readonly BindableLane[]) {
    this.lanes = lanes
    const all = [...lanes.keys()]
    this.everyone = this.queue(all)
    const members = new Map<number | undefined, number[]>()
    for (const [lane, { parent, lineage }] of lanes.entries()) {
      if (lineage !== undefined) this.byLineage.set(lineage, lane)
      const family = members.get(parent)
      if (family === undefined) members.set(parent, [lane])
      else family.push(lane)
    }
    for (const [parent, family] of members) this.families.set(parent, this.family(family))
  }

  /** Who has a lane. */
  holderOf(lane: number): string | undefined {
    return this.holders.get(lane)
  }

  /** By the session's place alone, as at its creation. @returns undefined where places do not decide */
  findByPlace(caller: LiveCaller): Binding | Taken | undefined {
    const [{ session }] = caller.chain
    const lane = this.placedLane(caller)
    const kept = this.laneOf.get(session)
    if (kept !== undefined) return { lane: kept, rule: kept === lane ? 'lineage' : 'first-call' }
    if (lane === undefined) return undefined
    const takenBy = this.stranger(caller, lane)
    return takenBy === undefined ? { lane, rule: 'lineage' } : { lane, takenBy }
  }

  /** For a session that calls. @returns undefined where no lane is left for it */
  find(caller: LiveCaller): Binding | Taken | undefined {
    const placed = this.findByPlace(caller)
    if (placed !== undefined) return placed
    const lane = this.nextLane(caller)
    if (lane === undefined) return undefined
    const rule = caller.resumes !== undefined ? 'resumed' : lane === 0 ? 'primary' : 'first-call'
    return { lane, rule }
  }

  /** Gives a lane that was found; with it, its parents' lanes go to the session's parents. */
  commit(caller: LiveCaller, lane: number): void {
    for (const { node, lane: at } of this.pairs(caller, lane)) {
      this.laneOf.set(node.session, at)
      this.holders.set(at, node.session)
    }
  }

  private placedLane(caller: LiveCaller): number | undefined {
    const [{ place, lineage }] = caller.chain
    const exact = lineage === undefined ? undefined : this.byLineage.get(lineage)
    if (exact !== undefined || place === undefined) return exact
    // Where the way up to a root is not known whole, the place under a parent that has its lane is.
    return this.familyOf(caller)?.byPlace.get(place)
  }

  private nextLane(caller: LiveCaller): number | undefined {
    const { chain, known, resumes } = caller
    if (!known) return this.everyone.first()
    const [{ place }, parent] = chain
    if (parent !== undefined && !this.laneOf.has(parent.session)) return this.strayLane(caller)
    const family = this.familyOf(caller)
    if (family === undefined) return undefined
    // What has a place belongs to the session that has it; only where none of them says may others.
    const queues = place === undefined ? [family.unplaced, family.placed] : [family.unplaced]
    for (const queue of queues) {
      const lane = resumes === undefined ? queue.first() : queue.firstThat(resumes)
      if (lane !== undefined) return lane
    }
    return undefined
  }

  /** For a child whose parent has no lane: wherever the two trees still agree. */
  private strayLane(caller: LiveCaller): number | undefined {
    const [{ place }] = caller.chain
    const fitting = [...this.lanes.keys()].filter(
      (lane) =>
        this.lane(lane).child &&
        this.isOpen(lane) &&
        this.agrees(caller, lane) &&
        caller.resumes?.(lane) !== false,
    )
    return fitting.find((lane) => this.lane(lane).place === place) ?? fitting[0]
  }

  /** Whether a lane and those above it may belong to a session and its parents. */
  private agrees(caller: LiveCaller, lane: number): boolean {
    const pairs = this.pairs(caller, lane)
    const top = this.lane(pairs[pairs.length - 1]?.lane as number)
    // Roots lie on roots, unless the recording or the run does not show the root.
    const level =
      pairs.length < caller.chain.length ? top.child : top.parent === undefined || !caller.whole
    return (
      level &&
      this.stranger(caller, lane) === undefined &&
      pairs.every(
        ({ node, lane: at }) =>
          !differ(node.place, this.lane(at).place) &&
          !differ(node.lineage, this.lane(at).lineage) &&
          [undefined, at].includes(this.laneOf.get(node.session)),
      )
    )
  }

  /** Who else has the lane, or the lane of a parent. */
  private stranger(caller: LiveCaller, lane: number): string | undefined {
    for (const { node, lane: at } of this.pairs(caller, lane)) {
      const holder = this.holders.get(at)
      if (holder !== undefined && holder !== node.session) return holder
    }
    return undefined
  }

  /** A session and its parents, each with the lane of its level, as far up as both go. */
  private pairs({ chain }: LiveCaller, lane: number): { node: LiveNode; lane: number }[] {
    const pairs: { node: LiveNode; lane: number }[] = []
    let at: number | undefined = lane
    for (const node of chain) {
      if (at === undefined) break
      pairs.push({ node, lane: at })
      at = this.lane(at).parent
    }
    return pairs
  }

  private familyOf({ chain: [, parent] }: LiveCaller): Family | undefined {
    if (parent === undefined) return this.families.get(undefined)
    const lane = this.laneOf.get(parent.session)
    return lane === undefined ? undefined : this.families.get(lane)
  }

  private family(members: readonly number[]): Family {
    const placeOf = (lane: number): string | undefined => this.lane(lane).place
    const placed = members.filter((lane) => placeOf(lane) !== undefined)
    const unplaced = members.filter((lane) => placeOf(lane) === undefined)
    return {
      byPlace: new Map(placed.map((lane) => [placeOf(lane) as string, lane])),
      placed: this.queue(placed),
      unplaced: this.queue(unplaced),
    }
  }

  private queue(lanes: readonly number[]): Queue {
    return new Queue(lanes, (lane) => this.isOpen(lane))
  }

  /** A lane without calls is never claimed by the order of calls. */
  private isOpen(lane: number): boolean {
    return this.lane(lane).calls > 0 && !this.holders.has(lane)
  }

  private lane(index: number): BindableLane {
    return this.lanes[index] as BindableLane
  }
}

function differ(live: string | undefined, recorded: string | undefined): boolean {
  return live !== undefined && recorded !== undefined && live !== recorded
}
