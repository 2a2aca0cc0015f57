import { comparePlaces, type SpawnedBy } from 'dsh-session'
import type { LogHeader } from '../log/header.ts'

/**
 * Puts sessions in the order of their files: the tree of delegations, depth first. Among siblings
 * the recorded place decides where both have one, else the time of creation, then the id.
 * Sessions whose parent is not among them (or only one another) come last.
 */
export function orderSessions<T extends { readonly header: LogHeader }>(
  sessions: readonly T[],
): T[] {
  const children = new Map<string, T[]>()
  const ids = new Set(sessions.map((session) => session.header.id))
  const roots: T[] = []
  const orphans: T[] = []
  for (const session of sessions) {
    const parent = session.header.parentSession
    if (parent === undefined) roots.push(session)
    else if (!ids.has(parent)) orphans.push(session)
    else children.set(parent, [...(children.get(parent) ?? []), session])
  }
  const ordered = new Set<T>()
  const visit = (session: T): void => {
    if (ordered.has(session)) return
    ordered.add(session)
    for (const child of inOrder(children.get(session.header.id) ?? [])) visit(child)
  }
  for (const session of [...inOrder(roots), ...inOrder(orphans), ...inOrder(sessions)]) {
    visit(session)
  }
  return [...ordered]
}

/** Places order a family only where all its members have one: a mixed rule would not be an order. */
function inOrder<T extends { readonly header: LogHeader }>(family: readonly T[]): T[] {
  const placed = family.every(({ header }) => placeOf(header) !== undefined)
  return [...family].sort(
    (a, b) =>
      (placed ? byPlace(a.header, b.header) : 0) ||
      a.header.createdAt - b.header.createdAt ||
      byText(a.header.id, b.header.id),
  )
}

function placeOf(header: LogHeader): SpawnedBy | number | undefined {
  return header.parentSession === undefined ? header.root : header.spawnedBy
}

function byPlace(a: LogHeader, b: LogHeader): number {
  const [x, y] = [placeOf(a), placeOf(b)]
  if (typeof x === 'number' && typeof y === 'number') return x - y
  /* v8 ignore next -- a family is all roots or all children, and is compared by place only whole */
  return typeof x === 'object' && typeof y === 'object' ? comparePlaces(x, y) : 0
}

function byText(a: string, b: string): number {
  return Number(a > b) - Number(a < b)
}
