import { dirname, join } from 'node:path'
import { type Clock, delay, type IdSource, mayRun, processMark, systemClock } from 'dsh-brand'
import { SessionError } from 'dsh-session'
import { type FileSystem, hasCode } from './file-system.ts'

const LOCK_NAME = 'session.lock'
/**
 * Whoever writes holds the lock for milliseconds, one that is about to be refused too. It is waited
 * for, so that the log's own writer is not refused for another's look at it; but five seconds at most: a
 * disk that is slow to sync is no second writer.
 */
const ATTEMPTS = 200
const WAIT_MS = 25

/**
 * Locks held by this process. Where the system does not tell when a process was started, a lock that
 * names this one but is not among them was left by a dead process of the same number.
 */
const held = new Set<string>()

/**
 * Runs `work` while no other process appends to the log. The lock is a symbolic link, whose target
 * names the holder: it is made with its content in one step, and only where there is none. A lock
 * whose holder has died is taken over.
 * @throws SessionError `SECOND_WRITER` when another writer goes on holding it; what `work` throws.
 */
export async function withLock<T>(
  fs: FileSystem,
  ids: IdSource,
  file: string,
  work: () => Promise<T>,
  clock: Clock = systemClock,
): Promise<T> {
  const path = join(dirname(file), LOCK_NAME)
  const token = `${processMark()}:${ids.uuid()}`
  // Known as ours before others can see it: a second backend in this process must not steal it.
  held.add(token)
  try {
    await acquire(fs, path, token, file, clock)
    try {
      return await work()
    } finally {
      await fs.unlink(path)
    }
  } finally {
    held.delete(token)
  }
}

async function acquire(
  fs: FileSystem,
  path: string,
  token: string,
  file: string,
  clock: Clock,
): Promise<void> {
  let holder: string | undefined
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      await fs.symlink(token, path)
      return
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
    }
    holder = await readHolder(fs, path)
    if (holder === undefined) continue
    if (isAlive(holder)) await delay(clock, WAIT_MS)
    else await evict(fs, path, holder, token)
  }
  throw new SessionError(
    'SECOND_WRITER',
    `another writer is writing to session log ${file}: expected to be the only one, found the lock ` +
      `${path} held by ${holder ?? 'one writer after another'}. Close the other agent; if there is none, remove the lock`,
  )
}

async function readHolder(fs: FileSystem, path: string): Promise<string | undefined> {
  try {
    return await fs.readlink(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Whether a holder may still be at work. */
function isAlive(holder: string): boolean {
  const mark = holder.slice(0, holder.lastIndexOf(':'))
  return mark === processMark() ? held.has(holder) : mayRun(mark)
}

/** Moves a dead holder's lock away, unless someone was faster; then theirs is put back. */
async function evict(fs: FileSystem, path: string, holder: string, token: string): Promise<void> {
  const aside = `${path}.${token.slice(token.lastIndexOf(':') + 1)}`
  try {
    await fs.rename(path, aside)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return
    throw error
  }
  const moved = await fs.readlink(aside)
  if (moved !== holder) {
    try {
      await fs.symlink(moved, path)
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
    }
  }
  await fs.unlink(aside)
}
