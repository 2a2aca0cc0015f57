import { createHash } from 'node:crypto'
import type { Session } from 'dsh-session'

/** How many files a session can have seen at once; the longest unseen is forgotten first. */
const MAX_FILES = 4096

export type Observation = 'current' | 'stale' | 'none'

/** The identity of a file's content. Content, not time stamps: those have a resolution and can be set. */
export function versionOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Which version of which file each session has seen last. Goes with the session. */
export class Observations {
  private readonly bySession: WeakMap<Session, Map<string, string>> = new WeakMap()

  /** @param file the real path, so that all names of a file are one. */
  record(session: Session, file: string, version: string): void {
    let files = this.bySession.get(session)
    if (files === undefined) {
      files = new Map()
      this.bySession.set(session, files)
    }
    files.delete(file)
    files.set(file, version)
    if (files.size > MAX_FILES) {
      const [oldest] = files.keys()
      files.delete(oldest as string)
    }
  }

  check(session: Session, file: string, version: string): Observation {
    const seen = this.bySession.get(session)?.get(file)
    if (seen === undefined) return 'none'
    return seen === version ? 'current' : 'stale'
  }
}
