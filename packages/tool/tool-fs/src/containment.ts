import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { Settings } from './config.ts'
import { errnoOf, FsError, fromErrno } from './error.ts'

/** Where a write really lands. */
export interface WriteTarget {
  /** Without symbolic links. */
  readonly real: string
  readonly exists: boolean
}

/**
 * Follows every symbolic link of a path that is about to be written, then checks that the result lies
 * within the allowed folders.
 * @param path absolute.
 * @throws FsError `FS_OUTSIDE_CWD`, `FS_NOT_FOUND` for a dangling link, or what the system refuses.
 */
export async function writeTarget(
  path: string,
  cwd: string,
  settings: Settings,
): Promise<WriteTarget> {
  const target = await follow(path)
  if (settings.allowOutsideCwd) return target
  for (const root of [cwd, ...settings.roots]) {
    if (isInside((await follow(resolve(cwd, root))).real, target.real)) return target
  }
  throw new FsError(
    'FS_OUTSIDE_CWD',
    `"${path}" is outside the working directory "${cwd}", where writing is not allowed`,
  )
}

/** The real path of a file that may not exist yet: of its nearest existing folder, then the rest. */
async function follow(path: string): Promise<WriteTarget> {
  const missing: string[] = []
  for (let at = path; ; at = dirname(at)) {
    try {
      return { real: join(await realpath(at), ...missing), exists: missing.length === 0 }
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw fromErrno(error, path)
    }
    if (await isLink(at)) {
      // Writing through it would create a file at a place that cannot be checked beforehand.
      throw new FsError('FS_NOT_FOUND', `"${at}" is a symbolic link to nothing`)
    }
    missing.unshift(basename(at))
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink()
  } catch {
    return false
  }
}

function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
}
