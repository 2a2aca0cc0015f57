import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readlink, stat } from 'node:fs/promises'
import { messageOf } from 'dsh-brand'
import { SnapshotError } from '../error.ts'

/** More than any fixture or log of a scenario has; a sparse file must not fill the memory. */
export const MOST_BYTES: number = 256 * 1024 * 1024

export interface ReadOptions {
  /** What messages call the file. Default: its path. */
  readonly name?: string
  readonly signal?: AbortSignal | undefined
  /** Default `MOST_BYTES`. */
  readonly maxBytes?: number
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Opens a file for reading, if it is a regular file or a link to one. A FIFO would keep whoever
 * opens it waiting, and a thread with it, until somebody writes.
 * @throws SnapshotError `BAD_FIXTURE` for anything else; the system's error where there is nothing.
 */
export async function openRegular(path: string, name: string = path): Promise<FileHandle> {
  // Looked at before it is opened, since opening alone can do something to a device.
  refuseOthers(await stat(path).catch((error: unknown) => describeLink(path, name, error)), name)
  // Whatever has taken its place since does not block.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const opened = await handle.stat()
  /* v8 ignore next -- only where the file is replaced between the two looks */
  if (!opened.isFile()) await handle.close()
  refuseOthers(opened, name)
  return handle
}

/**
 * Reads a whole text file, strictly as UTF-8.
 * @throws SnapshotError `BAD_FIXTURE` where it is no regular file, is too large, is not there, or is
 *   not UTF-8, naming the line; what `signal` aborts with.
 */
export async function readText(path: string, options: ReadOptions = {}): Promise<string> {
  const { name = path, signal, maxBytes = MOST_BYTES } = options
  const bytes = await readBytes(path, name, signal, maxBytes)
  try {
    return strict.decode(bytes)
  } catch {
    const line = lineOfDamage(bytes)
    throw bad(`${name}:${line}: not UTF-8; save it as UTF-8, or record it again`)
  }
}

async function readBytes(
  path: string,
  name: string,
  signal: AbortSignal | undefined,
  maxBytes: number,
): Promise<Buffer> {
  let handle: FileHandle | undefined
  try {
    handle = await openRegular(path, name)
    const { size } = await handle.stat()
    if (size > maxBytes) throw bad(`${name}: ${size} bytes, expected at most ${maxBytes}`)
    return await handle.readFile({ signal })
  } catch (error) {
    if (error instanceof SnapshotError || signal?.aborted === true) throw error
    throw bad(`${name}: cannot be read: ${messageOf(error)}`, error)
  } finally {
    await handle?.close()
  }
}

function refuseOthers(found: { isFile(): boolean }, name: string): void {
  if (found.isFile()) return
  throw bad(`${name}: ${kindOf(found as Kinds)}, expected a regular file; remove it`)
}

async function describeLink(path: string, name: string, error: unknown): Promise<never> {
  const link = await lstat(path).catch(() => undefined)
  if (link?.isSymbolicLink() !== true) throw error
  const problem = `a link to ${await readlink(path)}, which leads nowhere; put the file there`
  throw bad(`${name}: ${problem}`, error)
}

/** The part of a directory entry, or of file stats, that says what something is. */
export interface Kinds {
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
  isFIFO(): boolean
  isSocket(): boolean
}

/** What something in the file system is, for messages. */
export function kindOf(entry: Kinds): string {
  if (entry.isFile()) return 'a file'
  if (entry.isDirectory()) return 'a folder'
  if (entry.isSymbolicLink()) return 'a link'
  if (entry.isFIFO()) return 'a FIFO'
  return entry.isSocket() ? 'a socket' : 'a device'
}

/** The line of the first bytes that are not UTF-8, from 1. No line feed lies inside a character. */
function lineOfDamage(bytes: Buffer): number {
  let line = 1
  let start = 0
  for (;;) {
    const end = bytes.indexOf(0x0a, start)
    const piece = bytes.subarray(start, end === -1 ? bytes.length : end)
    if (end === -1 || !isUtf8(piece)) return line
    line += 1
    start = end + 1
  }
}

function isUtf8(bytes: Buffer): boolean {
  try {
    strict.decode(bytes)
    return true
  } catch {
    return false
  }
}

function bad(message: string, cause?: unknown): SnapshotError {
  return new SnapshotError('BAD_FIXTURE', message, cause === undefined ? {} : { cause })
}
