import { copyFile, link as makeLink, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from 'dsh-brand'
import { SnapshotError } from '../error.ts'

/** What is to become of the files in a folder: new texts by name, and names that must go. */
export interface Placement {
  readonly files: ReadonlyMap<string, string>
  readonly remove: readonly string[]
}

/** The names whose bytes differ from what the folder holds. */
export async function changedFiles(
  dir: string,
  files: ReadonlyMap<string, string>,
): Promise<string[]> {
  const changed: string[] = []
  for (const [name, text] of files) {
    const old = await readFile(join(dir, name)).catch(() => undefined)
    if (old === undefined || !old.equals(Buffer.from(text))) changed.push(name)
  }
  return changed
}

/**
 * Puts files that lie whole in `staged`, on the same file system, in their places by renaming, and
 * removes what must go. Where that fails halfway everything is put back: a folder holds one
 * recording, never parts of two. Only a process that is killed between two renames can leave a mix.
 * @returns the names that changed or went
 */
export async function placeFiles(
  dir: string,
  staged: string,
  { files, remove }: Placement,
  link: typeof makeLink = makeLink,
): Promise<string[]> {
  const changed = await changedFiles(dir, files)
  const touched = [...changed, ...remove]
  const kept = join(staged, '.kept')
  await mkdir(kept, { recursive: true })
  const old = new Set<string>()
  for (const name of touched) {
    if (await keep(join(dir, name), join(kept, name), link)) old.add(name)
  }
  const done: string[] = []
  try {
    for (const name of changed) {
      await rename(join(staged, name), join(dir, name))
      done.push(name)
    }
    for (const name of remove) {
      await rm(join(dir, name))
      done.push(name)
    }
  } catch (error) {
    const lost: string[] = []
    for (const name of done) {
      const back = old.has(name) ? rename(join(kept, name), join(dir, name)) : rm(join(dir, name))
      await back.catch(() => lost.push(name))
    }
    throw lost.length === 0 ? error : mixed(dir, lost, error)
  }
  return touched
}

/** What stopped the placing stops the putting back too, now and then. */
function mixed(dir: string, names: readonly string[], cause: unknown): SnapshotError {
  return new SnapshotError(
    'CANNOT_WRITE',
    `cannot write ${dir}: ${messageOf(cause)}; ${names.join(', ')} could not be put back: ` +
      'take the folder from version control, or record the scenario again',
    { cause },
  )
}

/** @returns whether there was something to keep */
async function keep(file: string, as: string, link: typeof makeLink): Promise<boolean> {
  try {
    await link(file, as)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    // Some file systems have no links.
    await copyFile(file, as)
    return true
  }
}
