import { formatLineage, type LineageHeader } from 'dsh-session'

/**
 * What tells a session apart among the children of its parent, or a root among roots, as text that
 * is equal where the numbers are. Undefined where its header does not say.
 */
export function placeKey({
  parentSession,
  spawnedBy,
  root,
}: Omit<LineageHeader, 'id'>): string | undefined {
  if (parentSession === undefined) return root === undefined ? undefined : String(root)
  // Call ids are no part of it: providers repeat and vary them.
  return spawnedBy === undefined ? undefined : formatLineage({ root: 0, path: [spawnedBy] })
}
