import type { FileHandle } from 'node:fs/promises'

/** Writes all bytes at a position, however often the system stops short. */
export async function writeAt(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let done = 0
  while (done < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done)
    if (bytesWritten === 0) throw new Error(`wrote ${done} of ${bytes.length} bytes and no more`)
    done += bytesWritten
  }
}

/** Reads the bytes from `start` up to `end`, or fewer where the file ends before. */
export async function readRange(handle: FileHandle, start: number, end: number): Promise<Buffer> {
  const bytes = Buffer.alloc(end - start)
  let done = 0
  while (done < bytes.length) {
    const { bytesRead } = await handle.read(bytes, done, bytes.length - done, start + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return bytes.subarray(0, done)
}
