import type { Stats } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { IdSource } from 'dsh-brand'
import { fromErrno } from './error.ts'

export interface WriteRequest {
  /** The real path; missing folders are made. */
  readonly file: string
  /** How to name it in messages. */
  readonly path: string
  readonly bytes: Uint8Array
  /** Of the file that is replaced; its mode and, where the system allows it, its owner are kept. */
  readonly previous: Stats | undefined
}

/**
 * Puts a whole file in place or leaves everything as it was: nobody sees half of it.
 * @throws FsError
 */
export async function writeFileAtomic(request: WriteRequest, ids: IdSource): Promise<void> {
  const { file, path, previous } = request
  const folder = dirname(file)
  const temp = join(folder, `.dsh-${ids.uuid()}.tmp`)
  try {
    await mkdir(folder, { recursive: true })
    const handle = await open(temp, 'wx', 0o666)
    try {
      await fill(handle, request.bytes, previous)
      await rename(temp, file)
    } catch (error) {
      await rm(temp, { force: true })
      throw error
    }
  } catch (error) {
    throw fromErrno(error, path)
  }
}

async function fill(handle: FileHandle, bytes: Uint8Array, previous?: Stats): Promise<void> {
  try {
    if (previous !== undefined) {
      // Only root may give files away; for others the new file is theirs, as with any editor. The
      // mode comes second, because a new owner clears bits of it.
      await Promise.allSettled([handle.chown(previous.uid, previous.gid)])
      await handle.chmod(previous.mode & 0o7777)
    }
    await handle.writeFile(bytes)
    await handle.datasync()
  } finally {
    await handle.close()
  }
}
