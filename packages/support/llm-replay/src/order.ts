import { ReplayError } from './error.ts'
import type { SessionScript } from './types.ts'

/**
 * Puts lanes in the order in which live sessions claim them, and checks that they make a delegation
 * tree: every id once, every parent there, no cycle. The primary's own parent may lie outside.
 * @throws ReplayError `FIXTURE_INVALID`
 */
export function orderLanes(
  primary: SessionScript,
  children: readonly SessionScript[],
): SessionScript[] {
  const lanes = [primary, ...[...children].sort(byCreation)]
  const byId = new Map<string, SessionScript>()
  for (const lane of lanes) {
    const other = byId.get(lane.header.id)
    if (other !== undefined) {
      throw invalid(`${other.file} and ${lane.file} are logs of one session, "${lane.header.id}"`)
    }
    byId.set(lane.header.id, lane)
  }
  for (const lane of lanes) checkAncestry(lane, primary, byId)
  return lanes
}

function byCreation(a: SessionScript, b: SessionScript): number {
  const time = a.header.createdAt - b.header.createdAt
  // By code unit, as everywhere: a locale would order fixtures by machine.
  return time === 0 ? (a.header.id < b.header.id ? -1 : 1) : time
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
