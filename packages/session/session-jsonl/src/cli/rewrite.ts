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
 * Replaces a file as a whole: it is always the old one or the new one. A link stays a link, and the
 * file that it leads to is replaced, where the agent that writes to it has its lock. Agents that write to the log
 * are kept out meanwhile; one that has it open is refused afterwards, and loads it again.
 * @throws SessionError `SECOND_WRITER` while another writer is at work; what `content` and the file
 *   system throw. The old file is left then.
 */
export async function rewriteFile(
  file: string,
  content: AsyncIterable<string>,
  { fs = nodeFileSystem, ids = systemIds }: RewriteParts = {},
): Promise<void> {
  const real = await fs.realpath(file)
  const stats = await fs.stat(real)
  // Opening a FIFO would wait for a writer that may never come.
  if (!stats.isFile())
    throw new Error(`${file} is no regular file, and cannot be rewritten in place`)
  await withLock(fs, ids, real, async () => {
    const temp = `${real}.${ids.uuid()}.tmp`
    const handle = await fs.open(temp, 'wx', 0o600)
    try {
      await fill(handle, content, stats.mode & 0o777)
      await fs.rename(temp, real)
    } catch (error) {
      await fs.unlink(temp).catch(() => undefined)
      throw error
    }
    await syncFolder(fs, dirname(real))
  })
}

async function fill(
  handle: FileHandle,
  content: AsyncIterable<string>,
  mode: number,
): Promise<void> {
  try {
    // Not when it is opened: the process's mask would take bits away.
    await handle.chmod(mode)
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
