import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { SnapshotError } from '../error.ts'
import { kindOf } from '../files/regular-file.ts'

/**
 * Refuses what cannot be copied into the cwd. Links are copied as links, wherever they lead.
 * @throws SnapshotError `BAD_SCENARIO`
 */
export async function checkWorkspace(dir: string, name: string): Promise<void> {
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = join(name, entry.name)
    if (entry.isDirectory()) await checkWorkspace(join(dir, entry.name), path)
    else if (!entry.isFile() && !entry.isSymbolicLink()) {
      const problem = `${kindOf(entry)}, expected files, folders and links only; remove it`
      throw new SnapshotError('BAD_SCENARIO', `${path}: ${problem}`)
    }
  }
}
