import { link as makeLink, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { describeMark, type IdSource, mayRun, messageOf, processMark } from 'dsh-brand'
import { SnapshotError } from '../error.ts'

/** Held while the files of one scenario are being made. */
export interface Lock {
  release(): Promise<void>
}

export interface LockOptions {
  readonly ids: IdSource
  /** The mark of this process. Default: as the system tells it. */
  readonly owner?: string
  /** Whether the process of a mark may be running. */
  readonly isRunning?: (mark: string) => boolean
  /** Default: the file system's. */
  readonly link?: typeof makeLink
}

/**
 * Takes a lock file that names its owner. One whose owner is gone (it was killed) is taken over.
 * @throws SnapshotError `BUSY` while its owner runs; the file system's error where nothing can be
 *   written there.
 */
export async function takeLock(file: string, options: LockOptions): Promise<Lock> {
  const { ids, owner = processMark(), link = makeLink } = options
  const own = JSON.stringify({ owner, id: ids.uuid() })
  const draft = `${file}.${ids.uuid()}`
  try {
    // A link appears whole or not at all; a file that is made and then filled does not.
    await writeFile(draft, own, { flag: 'wx', mode: 0o600 })
    try {
      await link(draft, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      await takeOver(file, options)
      await link(draft, file).catch((cause: unknown) => {
        throw busy(file, messageOf(cause))
      })
    }
  } finally {
    await rm(draft, { force: true })
  }
  return {
    async release() {
      if ((await readFile(file, 'utf8').catch(() => '')) === own) await rm(file, { force: true })
    },
  }
}

async function takeOver(file: string, { ids, isRunning = mayRun }: LockOptions): Promise<void> {
  const held = await readFile(file, 'utf8').catch(() => '')
  const owner = ownerOf(held)
  if (owner === undefined || isRunning(owner)) {
    throw busy(file, describeMark(owner ?? ''))
  }
  const aside = `${file}.${ids.uuid()}`
  await rename(file, aside).catch((cause: unknown) => {
    throw busy(file, messageOf(cause))
  })
  try {
    // Another may have taken it over between the look and the move.
    if ((await readFile(aside, 'utf8')) === held) return
    await makeLink(aside, file)
    throw busy(file, 'another process')
  } finally {
    await rm(aside, { force: true })
  }
}

function ownerOf(text: string): string | undefined {
  return /^\{"owner":"([^"\\]+)",/.exec(text)?.[1]
}

function busy(file: string, owner: string): SnapshotError {
  return new SnapshotError(
    'BUSY',
    `the scenario is being recorded or refreshed already (${owner} holds ${file}); ` +
      'wait for it, or remove the file if nothing runs',
  )
}
