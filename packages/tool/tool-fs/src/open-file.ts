import { constants, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { FsError, fromErrno } from './error.ts'

const CHUNK = 64 * 1024

/** What a read of a whole file needs to know. */
export interface ReadLimits {
  /** How to name the file in messages. */
  readonly path: string
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/**
 * Streams a regular file in bounded memory. A chunk is only valid during `onChunk`.
 * @param file where it is.
 * @throws FsError
 */
export async function streamFile(
  file: string,
  limits: ReadLimits,
  onChunk: (chunk: Buffer) => void,
): Promise<Stats> {
  const { path, maxBytes, signal } = limits
  let handle: FileHandle | undefined
  try {
    // Without O_NONBLOCK, opening a pipe waits for a writer for ever.
    handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
    const stats = await handle.stat()
    if (stats.isDirectory()) throw new FsError('FS_IS_DIRECTORY', `"${path}" is a directory`)
    if (!stats.isFile()) throw new FsError('FS_NOT_A_FILE', `"${path}" is not a regular file`)
    const buffer = Buffer.allocUnsafe(CHUNK)
    let total = 0
    for (;;) {
      if (signal.aborted) throw new FsError('FS_ABORTED', `cancelled while reading "${path}"`)
      const { bytesRead } = await handle.read(buffer, 0, CHUNK)
      if (bytesRead === 0) return stats
      // Counted, not taken from `stats`: a file may grow, and some report no size at all.
      total += bytesRead
      if (total > maxBytes) {
        throw new FsError('FS_TOO_LARGE', `"${path}" has more than ${maxBytes} bytes`)
      }
      onChunk(buffer.subarray(0, bytesRead))
    }
  } catch (error) {
    throw fromErrno(error, path)
  } finally {
    await handle?.close()
  }
}

/** Reads a whole regular file. @throws FsError */
export async function readWhole(
  file: string,
  limits: ReadLimits,
): Promise<{ readonly bytes: Buffer; readonly stats: Stats }> {
  const chunks: Buffer[] = []
  const stats = await streamFile(file, limits, (chunk) => chunks.push(Buffer.from(chunk)))
  return { bytes: Buffer.concat(chunks), stats }
}
