import { join } from 'node:path'
import { type IdSource, systemIds } from 'dsh-brand'
import {
  deepFreeze,
  type Session,
  type SessionBackend,
  SessionError,
  type SessionHeader,
  type SessionId,
  type StoredLog,
} from 'dsh-session'
import { type FileSystem, hasCode, nodeFileSystem } from './file-system.ts'
import { LogFile, type LogFileParts } from './log-file.ts'
import { encodeSegment, LOG_NAME, logPath } from './paths.ts'
import { readLog } from './read-log.ts'
import { SessionWriter } from './session-writer.ts'

/**
 * By session and not by backend: a backend that is mounted anew goes on with the files of the
 * sessions that are still live, instead of taking them for another writer's.
 */
const writers = new WeakMap<Session, { readonly root: string; readonly writer: SessionWriter }>()

export interface BackendParts {
  /** Absolute. */
  readonly root: string
  readonly fs?: FileSystem
  readonly ids?: IdSource
  /** Default false. */
  readonly packChunks?: boolean
}

/** Keeps logs under a root folder: `<root>/<project>/<session>/session.jsonl`. */
export class JsonlBackend implements SessionBackend {
  readonly name = 'jsonl'
  private readonly root: string
  private readonly fs: FileSystem
  private readonly files: LogFileParts
  private readonly tracked = new Map<Session, SessionWriter>()
  /** Files that were read and wait for the session that is made of them, by its header. */
  private readonly taken = new WeakMap<SessionHeader, LogFile>()

  constructor(parts: BackendParts) {
    this.root = parts.root
    this.fs = parts.fs ?? nodeFileSystem
    this.files = {
      fs: this.fs,
      ids: parts.ids ?? systemIds,
      packChunks: parts.packChunks ?? false,
    }
  }

  async load(id: SessionId): Promise<StoredLog | undefined> {
    const file = await this.find(id)
    const read = file === undefined ? undefined : await readLog(this.fs, file)
    if (file === undefined || read === undefined) return undefined
    const { header, events, closers } = read
    if (header.id !== id) {
      throw new SessionError(
        'CORRUPT_LOG',
        `corrupt session log: expected session "${id}" in ${file}, found "${header.id}"`,
      )
    }
    this.taken.set(header, new LogFile(this.files, file, read))
    return { header, events: [...events, ...deepFreeze(closers)] }
  }

  /** Starts to look after a session. Idempotent. */
  track(session: Session): SessionWriter {
    const tracked = this.tracked.get(session)
    if (tracked !== undefined) return tracked
    const { root } = this
    const known = writers.get(session)
    const writer =
      known?.root === root ? known.writer : new SessionWriter(session, this.fileOf(session))
    writers.set(session, { root, writer })
    this.tracked.set(session, writer)
    return writer
  }

  /** Makes everything that a session has committed durable. @throws as `SessionWriter.flush`. */
  flush(session: Session): Promise<void> {
    return this.track(session).flush()
  }

  /** Lets go of a session. */
  forget(session: Session): void {
    this.tracked.delete(session)
  }

  /** Flushes all sessions, each on its own, and returns what failed. */
  async flushAll(): Promise<unknown[]> {
    const results = await Promise.allSettled([...this.tracked.values()].map((each) => each.flush()))
    return results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  }

  private fileOf(session: Session): LogFile {
    const path = logPath(this.root, session.cwd, session.id)
    return this.taken.get(session.header) ?? new LogFile(this.files, path)
  }

  /** A session is asked for by its id alone, so that every project is a candidate. */
  private async find(id: SessionId): Promise<string | undefined> {
    const segment = encodeSegment(id)
    const found: string[] = []
    for (const project of await this.entries(this.root)) {
      const sessions = await this.entries(join(this.root, project))
      if (sessions.includes(segment)) found.push(join(this.root, project, segment, LOG_NAME))
    }
    if (found.length <= 1) return found[0]
    throw new SessionError(
      'CORRUPT_LOG',
      `expected one log of session "${id}", found ${found.length}: ${found.join(', ')}; move all but one away`,
    )
  }

  private async entries(folder: string): Promise<string[]> {
    try {
      return (await this.fs.readdir(folder)).sort()
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return []
      throw error
    }
  }
}
