import type { Session, SessionId } from 'dsh-session'

/**
 * How deeply a session is nested: 0 for a root. Counted over live sessions; a child whose parent is
 * not live counts as the child of a root.
 */
export function depthOf(session: Session, find: (id: SessionId) => Session | undefined): number {
  let depth = 0
  const seen = new Set<Session>()
  for (let at: Session | undefined = session; at !== undefined && !seen.has(at); ) {
    seen.add(at)
    const { parentSession } = at.header
    if (parentSession === undefined) return depth
    depth += 1
    at = find(parentSession)
  }
  return depth
}
