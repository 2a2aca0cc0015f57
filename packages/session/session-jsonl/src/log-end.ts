import type { FileHandle } from 'node:fs/promises'
import { decodeStorageRecord } from 'dsh-session'
import { readRange } from './bytes.ts'

/** How much of the end of a log is compared before it is written to. */
const TAIL = 4096
/** How much is read to say in an error which event a log ends with. */
const LOOK_BACK = 64 * 1024

/** How a log ended when this process last read or wrote it. */
export interface LogEnd {
  readonly size: number
  readonly tail: Buffer
}

export async function readEnd(handle: FileHandle, size: number): Promise<LogEnd> {
  return { size, tail: await readRange(handle, Math.max(0, size - TAIL), size) }
}

/** The end after `bytes` were written at the end. */
export function extendEnd(end: LogEnd, bytes: Buffer): LogEnd {
  const tail = Buffer.concat([end.tail, bytes.subarray(-TAIL)]).subarray(-TAIL)
  return { size: end.size + bytes.length, tail: Buffer.from(tail) }
}

/**
 * Whether a file still ends as known. `attempted` is what a failed write may have left behind the
 * end: any beginning of it is ours.
 */
export async function stillEnds(
  handle: FileHandle,
  end: LogEnd,
  attempted: Buffer,
): Promise<boolean> {
  const { size } = await handle.stat()
  if (size < end.size || size > end.size + attempted.length) return false
  const found = await readRange(handle, end.size - end.tail.length, size)
  const expected = Buffer.concat([end.tail, attempted.subarray(0, size - end.size)])
  return found.equals(expected)
}

/** In words, for an error: the size of a file and the event that it ends with. */
export async function describeEnd(handle: FileHandle): Promise<string> {
  const { size } = await handle.stat()
  const bytes = await readRange(handle, Math.max(0, size - LOOK_BACK), size)
  return `${size} bytes ending in ${lastEvent(bytes.toString())}`
}

export function describeKnownEnd(end: LogEnd, seq: number): string {
  return `${end.size} bytes ending in event ${seq}`
}

function lastEvent(text: string): string {
  const line = text.slice(0, -1).slice(text.lastIndexOf('\n', text.length - 2) + 1)
  try {
    const last = decodeStorageRecord(JSON.parse(line)).at(-1) as { seq?: unknown } | null
    return typeof last?.seq === 'number' ? `event ${last.seq}` : 'no event'
  } catch {
    return 'an incomplete line'
  }
}
