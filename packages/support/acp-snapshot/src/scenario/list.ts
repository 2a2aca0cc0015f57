import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { didYouMean, messageOf } from 'dsh-brand'
import { SnapshotError } from '../error.ts'

/**
 * The names of the folders below a root, in order; hidden ones apart.
 * @throws SnapshotError `BAD_SCENARIO` where there is no such folder.
 */
export async function listScenarios(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch((cause: unknown) => {
    throw new SnapshotError(
      'BAD_SCENARIO',
      `cannot list ${root}: ${messageOf(cause)}; expected a folder that holds one folder per scenario`,
      { cause },
    )
  })
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort()
}

/**
 * The folders of the named scenarios, in the order of the names; of all when no name is given.
 * @throws SnapshotError `BAD_SCENARIO` for a name that there is not, with the nearest that there is.
 */
export async function selectScenarios(root: string, names: readonly string[]): Promise<string[]> {
  const known = await listScenarios(root)
  for (const name of names) {
    if (known.includes(name)) continue
    const hint = didYouMean(name, known) || `; known here: ${known.join(', ') || 'none'}`
    throw new SnapshotError('BAD_SCENARIO', `no scenario "${name}"${hint} (in ${root})`)
  }
  return (names.length === 0 ? known : [...new Set(names)]).map((name) => join(root, name))
}
