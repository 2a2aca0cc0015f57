import { rmSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { messageOf } from 'dsh-brand'
import { SnapshotError } from '../error.ts'
import type { RunFolder } from './types.ts'

/**
 * Makes a fresh folder for one run, readable by its owner only, with the contents of the workspace
 * in its cwd. Where that fails, nothing is left behind.
 * @throws SnapshotError `CANNOT_WRITE` where no folder can be made; what copying throws.
 */
export async function createRunFolder(
  tempRoot: string = os.tmpdir(),
  workspaceDir?: string,
): Promise<RunFolder> {
  const dir = await mkdtemp(path.join(path.resolve(tempRoot), 'dsh-snapshot-')).catch(
    (cause: unknown) => {
      throw new SnapshotError(
        'CANNOT_WRITE',
        `cannot make a folder for the run in ${tempRoot}: ${messageOf(cause)}; TMPDIR names another place`,
        { cause },
      )
    },
  )
  const folder: RunFolder = {
    dir,
    cwd: path.join(dir, 'cwd'),
    home: path.join(dir, 'home'),
    sessionsRoot: path.join(dir, 'sessions'),
    reportFile: path.join(dir, 'report.jsonl'),
    stdoutFile: path.join(dir, 'stdout.jsonl'),
    stderrFile: path.join(dir, 'stderr.log'),
  }
  try {
    for (const each of [folder.cwd, folder.home, folder.sessionsRoot]) await mkdir(each)
    if (workspaceDir !== undefined) await copyContents(workspaceDir, folder.cwd)
  } catch (error) {
    await removeFolder(dir)
    throw error
  }
  return folder
}

/** Links stay links with their targets as written: a workspace must not reach back to its source. */
async function copyContents(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, verbatimSymlinks: true })
}

/** Every path under which a folder is known, longest first, so that replacing leaves no rest. */
export async function pathAliases(dir: string): Promise<string[]> {
  const aliases = new Set([dir, await realpath(dir)])
  return [...aliases].sort((a, b) => b.length - a.length)
}

/** Removes a folder with all that is in it. One that is gone already is no error. */
export async function removeFolder(dir: string): Promise<void> {
  await unlock(dir)
  await rm(dir, { recursive: true, force: true, maxRetries: 3 })
}

/** How many files may still be on their way into a folder. More is somebody who does not stop. */
const MOST_LATE = 20

/**
 * The same at once, for a process that is going: files that it had asked for before are still being made
 * in its folder, each in the middle of a removal, and then that has to begin again.
 * @throws what `remove` throws
 */
export function removeFolderNow(dir: string, remove: typeof rmSync = rmSync): void {
  for (let left = MOST_LATE; ; left -= 1) {
    try {
      remove(dir, { recursive: true, force: true })
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY' || left === 0) throw error
    }
  }
}

const ownerAll = 0o700

/** An agent may have taken write permission from a folder, which would keep its entries in place. */
async function unlock(dir: string): Promise<void> {
  const found = await stat(dir).catch(() => undefined)
  if (found === undefined) return
  if ((found.mode & ownerAll) !== ownerAll) await chmod(dir, found.mode | ownerAll)
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    if (entry.isDirectory()) await unlock(path.join(dir, entry.name))
  }
}
