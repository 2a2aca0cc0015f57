import { compareLineages, type Lineage, lineageOf } from 'dsh-session'
import { ReplayError } from './error.ts'
import { placeKey } from './place.ts'
import type { SessionScript } from './types.ts'

/**
 * Puts lanes in order, and checks that they make a delegation tree: every id once, every parent
 * there, no cycle, every place once. The primary's own parent may lie outside. The primary comes
 * first, then the others by lineage where every lane has one, else by `createdAt`, then by id.
 * @throws ReplayError `FIXTURE_INVALID`
 */
export function orderLanes(
  primary: SessionScript,
  children: readonly SessionScript[],
): SessionScript[] {
  const byId = new Map<string, SessionScript>()
  const lanes = [primary, ...children]
  for (const lane of lanes) {
    const other = byId.get(lane.header.id)
    if (other !== undefined) {
      throw invalid(`${other.file} and ${lane.file} are logs of one session, "${lane.header.id}"`)
    }
    byId.set(lane.header.id, lane)
  }
  for (const lane of lanes) checkAncestry(lane, primary, byId)
  checkPlaces(lanes)
  const placed = lanes.map((lane): SessionScript => {
    const lineage = lineageOf(lane.header, (id) => byId.get(id)?.header)
    return lineage === undefined ? lane : { ...lane, lineage }
  })
  const [first, ...others] = placed as [SessionScript, ...SessionScript[]]
  const known = placed.every(({ lineage }) => lineage !== undefined)
  return [first, ...others.sort(known ? byLineage : byCreation)]
}

function byLineage(a: SessionScript, b: SessionScript): number {
  return compareLineages(a.lineage as Lineage, b.lineage as Lineage)
}

function byCreation(a: SessionScript, b: SessionScript): number {
  const time = a.header.createdAt - b.header.createdAt
  // By code unit, as everywhere: a locale would order fixtures by machine.
  return time === 0 ? (a.header.id < b.header.id ? -1 : 1) : time
}

/** Two sessions in one place could not be told apart, and a run has one order of its roots. */
function checkPlaces(lanes: readonly SessionScript[]): void {
  const roots = lanes.filter(({ header }) => header.parentSession === undefined)
  const unnumbered = roots.length > 1 && roots.find(({ header }) => header.root === undefined)
  if (unnumbered) {
    throw invalid(
      `${unnumbered.file}: one of ${roots.length} sessions without a parent, and its header has no ` +
        '"root" to tell them apart; record the scenario again, or number them in the order of session/new',
    )
  }
  const taken = new Map<string, SessionScript>()
  for (const lane of lanes) {
    const { parentSession } = lane.header
    const place = placeKey(lane.header)
    if (place === undefined) continue
    const key = JSON.stringify([parentSession ?? null, place])
    const other = taken.get(key)
    if (other !== undefined) {
      throw invalid(
        parentSession === undefined
          ? `${other.file} and ${lane.file} are both root ${place}`
          : `${other.file} and ${lane.file} have the same place among the children of "${parentSession}": ` +
              JSON.stringify(lane.header.spawnedBy),
      )
    }
    taken.set(key, lane)
  }
}

function checkAncestry(
  lane: SessionScript,
  primary: SessionScript,
  byId: ReadonlyMap<string, SessionScript>,
): void {
  const { id, parentSession } = lane.header
  if (parentSession === id) throw invalid(`${lane.file}: the session "${id}" is its own parent`)
  const passed = new Set<SessionScript>()
  for (let at = lane; at !== primary; ) {
    passed.add(at)
    const parentId = at.header.parentSession
    if (parentId === undefined) return
    const parent = byId.get(parentId)
    if (parent === undefined) {
      throw invalid(
        `${at.file}: its parent session "${parentId}" is in none of the fixtures; give that log too`,
      )
    }
    if (passed.has(parent)) throw invalid(`${at.file}: the session "${id}" is its own ancestor`)
    at = parent
  }
}

function invalid(problem: string): ReplayError {
  return new ReplayError('FIXTURE_INVALID', problem)
}
