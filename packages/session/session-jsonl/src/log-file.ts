import type { FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { IdSource } from 'dsh-brand'
import {
  packChunkRuns,
  SessionError,
  type SessionEvent,
  type SessionHeader,
  serializeHeader,
  serializeRecord,
} from 'dsh-session'
import { writeAt } from './bytes.ts'
import { type FileSystem, hasCode } from './file-system.ts'
import { withLock } from './lock.ts'
import {
  describeEnd,
  describeKnownEnd,
  extendEnd,
  type LogEnd,
  readEnd,
  stillEnds,
} from './log-end.ts'
import type { ReadLog } from './read-log.ts'

interface Batch {
  readonly bytes: Buffer
  readonly events: number
}

const NOTHING: Buffer = Buffer.alloc(0)

export interface LogFileParts {
  readonly fs: FileSystem
  readonly ids: IdSource
  /** Whether runs of chunks are written as rows. Reading does not depend on it. */
  readonly packChunks: boolean
}

/** One log on disk and what this process knows of it. Calls must not overlap. */
export class LogFile {
  readonly path: string
  private readonly fs: FileSystem
  private readonly ids: IdSource
  private readonly packChunks: boolean
  /** Undefined until published. */
  private end: LogEnd | undefined
  private validSize = 0
  /** What a failed append may have left behind the end. */
  private attempted: Buffer = NOTHING
  /** Folders whose new entry is not known to be durable yet. */
  private unsynced: string[] = []
  private count = 0

  constructor({ fs, ids, packChunks }: LogFileParts, path: string, read?: ReadLog) {
    this.fs = fs
    this.ids = ids
    this.packChunks = packChunks
    this.path = path
    if (read === undefined) return
    this.end = read.end
    this.validSize = read.validSize
    this.count = read.events.length
  }

  /** How many events are on disk. */
  get written(): number {
    return this.count
  }

  /**
   * Makes these events, which follow those on disk, durable. When it throws, the events on disk are
   * those from before, and the same call may be made again.
   * @throws SessionError `SECOND_WRITER`; what the file system throws.
   */
  async write(header: SessionHeader, events: readonly SessionEvent[]): Promise<void> {
    if (events.length > 0 || this.hasTornTail()) {
      // Batch by batch: what is on disk is never rewritten, not even to join a run.
      const records = this.packChunks ? packChunkRuns(events) : events
      const lines = Buffer.concat(records.map((record) => lineOf(serializeRecord(record))))
      const batch = { bytes: lines, events: events.length }
      if (this.end === undefined) {
        await this.publish(lineOf(serializeHeader(header)), batch)
      } else {
        const { end } = this
        await withLock(this.fs, this.ids, this.path, () => this.append(end, batch))
      }
    }
    await this.syncFolders()
  }

  private hasTornTail(): boolean {
    return this.end !== undefined && this.validSize < this.end.size
  }

  private async publish(header: Buffer, batch: Batch): Promise<void> {
    const folder = dirname(this.path)
    const created = await this.fs.mkdir(folder, { recursive: true, mode: 0o700 })
    const temp = join(folder, `session.${this.ids.uuid()}.tmp`)
    const handle = await this.fs.open(temp, 'wx', 0o600)
    const content = Buffer.concat([header, batch.bytes])
    try {
      try {
        await writeAt(handle, content, 0)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await this.linkOnce(temp)
      this.unsynced = foldersToSync(folder, created)
      this.settle({ size: 0, tail: NOTHING }, { ...batch, bytes: content })
    } finally {
      // A name that is left over costs nothing, and must not hide how the write itself went.
      await this.fs.unlink(temp).catch(() => undefined)
    }
  }

  /** The batch is on disk. From here on, whatever else fails, it must not be written again. */
  private settle(before: LogEnd, batch: Batch): void {
    this.attempted = NOTHING
    this.end = extendEnd(before, batch.bytes)
    this.validSize = this.end.size
    this.count += batch.events
  }

  private async linkOnce(temp: string): Promise<void> {
    try {
      await this.fs.link(temp, this.path)
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
      const handle = await this.fs.open(this.path, 'r')
      try {
        throw secondWriter(this.path, 'no file', await describeEnd(handle), error)
      } finally {
        await handle.close()
      }
    }
  }

  private async append(end: LogEnd, batch: Batch): Promise<void> {
    const handle = await this.fs.open(this.path, 'r+')
    try {
      if (!(await stillEnds(handle, end, this.attempted))) {
        const expected = describeKnownEnd(end, this.count - 1)
        throw secondWriter(this.path, expected, await describeEnd(handle))
      }
      await this.writeOrUndo(handle, await this.cutTo(handle, this.validSize), batch)
    } finally {
      await handle.close()
    }
  }

  private async cutTo(handle: FileHandle, size: number): Promise<LogEnd> {
    await handle.truncate(size)
    this.attempted = NOTHING
    this.end = await readEnd(handle, size)
    return this.end
  }

  private async writeOrUndo(handle: FileHandle, end: LogEnd, batch: Batch): Promise<void> {
    // Until it is known how the write went, whatever of it is found is ours to cut.
    this.attempted = batch.bytes
    try {
      await writeAt(handle, batch.bytes, end.size)
      await handle.sync()
    } catch (error) {
      // Should this fail too, the next write cuts the rest before it adds anything.
      await this.cutTo(handle, end.size).catch(() => undefined)
      throw error
    }
    this.settle(end, batch)
  }

  private async syncFolders(): Promise<void> {
    for (let folder = this.unsynced[0]; folder !== undefined; folder = this.unsynced[0]) {
      const handle = await this.fs.open(folder, 'r')
      try {
        await handle.sync()
      } finally {
        await handle.close()
      }
      this.unsynced.shift()
    }
  }
}

function lineOf(text: string): Buffer {
  return Buffer.from(`${text}\n`)
}

/** The folder of a new file and those that hold a folder made for it. */
function foldersToSync(folder: string, created: string | undefined): string[] {
  const folders = [folder]
  if (created === undefined) return folders
  const top = dirname(created)
  for (let next = dirname(folder); ; next = dirname(next)) {
    folders.push(next)
    if (next === top) return folders
  }
}

function secondWriter(
  file: string,
  expected: string,
  found: string,
  cause?: unknown,
): SessionError {
  return new SessionError(
    'SECOND_WRITER',
    `another writer has written session log ${file}: expected ${expected}, found ${found}. ` +
      'Nothing was written; close the other agent and load the session again',
    { cause },
  )
}
