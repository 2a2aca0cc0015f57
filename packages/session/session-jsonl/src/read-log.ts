import type { SessionEvent, SessionHeader } from 'dsh-session'
import { type FileSystem, hasCode } from './file-system.ts'
import { LineReader } from './lines.ts'
import { type LogEnd, readEnd } from './log-end.ts'
import { LogScanner } from './scan.ts'

const CHUNK = 64 * 1024

/** A log as it lies on disk, and what a repair has to add to it. */
export interface ReadLog {
  readonly header: SessionHeader
  /** The valid events, those of an open last turn included. */
  readonly events: readonly SessionEvent[]
  /** What closes that turn; empty where nothing is open. */
  readonly closers: readonly SessionEvent[]
  readonly end: LogEnd
  /** Bytes up to the end of the last valid event; what follows is to be cut. */
  readonly validSize: number
}

/**
 * Reads one log. The file is not changed.
 * @returns undefined when there is no such file.
 * @throws SessionError `CORRUPT_LOG`, `UNSUPPORTED_VERSION`; what the file system throws.
 */
export async function readLog(fs: FileSystem, file: string): Promise<ReadLog | undefined> {
  let handle: Awaited<ReturnType<FileSystem['open']>>
  try {
    handle = await fs.open(file, 'r')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
  try {
    const splitter = new LineReader()
    const events: SessionEvent[] = []
    const scanner = new LogScanner(file, {
      keep: (more) => {
        for (const event of more) events.push(event)
      },
    })
    const buffer = Buffer.alloc(CHUNK)
    let size = 0
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK, size)
      if (bytesRead === 0) break
      size += bytesRead
      for (const line of splitter.push(buffer.subarray(0, bytesRead))) scanner.line(line)
    }
    const { header, openTurn, validSize } = scanner
    const closers = openTurn.closers()
    return { header, events, closers, end: await readEnd(handle, size), validSize }
  } finally {
    await handle.close()
  }
}
