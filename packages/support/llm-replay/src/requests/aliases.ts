import { realpathSync } from 'node:fs'

/** The paths under which a folder is known. One that is gone has only its own. */
export function pathsOf(dir: string): readonly string[] {
  try {
    return [dir, realpathSync(dir)]
  } catch {
    return [dir]
  }
}
