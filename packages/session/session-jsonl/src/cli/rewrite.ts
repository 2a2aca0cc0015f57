import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type IdSource, systemIds } from 'dsh-brand'
import { type FileSystem, nodeFileSystem } from '../file-system.ts'
import { withLock } from '../lock.ts'

export interface RewriteParts {
  readonly fs?: FileSystem
  readonly ids?: IdSource
}

/**
 * Replaces a file as a whole: it is always the old one or the new one. Agents that write to the log
 * are kept out meanwhile; one that has it open is refused afterwards, and loads it again.
 * @throws SessionError `SECOND_WRITER` while another writer is at work; what `content` and the file
 *   system throw. The old file is left then.
 */
export async function rewriteFile(
  file: string,
  content: AsyncIterable<string>,
  { fs = nodeFileSystem, ids = systemIds }: RewriteParts = {},
): Promise<void> {
  await withLock(fs, ids, file, async () => {
    const mode = await modeOf(fs, file)
    const temp = `${file}.${ids.uuid()}.tmp`
    const handle = await fs.open(temp, 'wx', mode)
    try {
      await fill(handle, content)
      await fs.rename(temp, file)
    } catch (error) {
      await fs.unlink(temp).catch(() => undefined)
      throw error
    }
    await syncFolder(fs, dirname(file))
  })
}

async function modeOf(fs: FileSystem, file: string): Promise<number> {
  const handle = await fs.open(file, 'r')
  try {
    return (await handle.stat()).mode & 0o777
  } finally {
    await handle.close()
  }
}

async function fill(handle: FileHandle, content: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(content, async (pieces: AsyncIterable<string>) => {
      for await (const piece of pieces) await handle.appendFile(piece)
    })
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function syncFolder(fs: FileSystem, folder: string): Promise<void> {
  const handle = await fs.open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
