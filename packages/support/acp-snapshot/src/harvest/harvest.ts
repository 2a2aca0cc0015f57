import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { messageOf } from 'dsh-brand'
import { SnapshotError } from '../error.ts'
import { readText } from '../files/regular-file.ts'
import { type LogHeader, readHeader } from '../log/header.ts'
import type { HarvestedLog } from '../run/types.ts'
import { orderSessions } from './order.ts'

/** A log with the facts of its header, unless it has a `problem`. */
export interface HarvestedSession extends HarvestedLog {
  readonly header?: LogHeader
}

const LOG = 'session.jsonl'

/**
 * A backend that is killed while it publishes a log leaves its temporary file behind. It holds
 * nothing that was ever committed, so it is no finding.
 */
const TEMPORARY = /^\.|\.tmp$/

/**
 * Reads every `session.jsonl` below the root, in whatever folders: depth first along the delegations,
 * as the fixtures are numbered. Files that cannot be taken as logs (strangers, unreadable headers, a
 * session id that another log has) come last, with the reason: nothing is lost silently. A root that
 * does not exist is empty, since an agent that had no turn writes none. Paths are relative to it, with `/`.
 * Rejects with what `signal` aborts with, between two files at the latest.
 */
export async function harvestSessionLogs(
  sessionsRoot: string,
  signal?: AbortSignal,
): Promise<HarvestedSession[]> {
  const found: (HarvestedLog & { readonly header: LogHeader })[] = []
  const refused: HarvestedSession[] = []
  for (const file of await filesBelow(sessionsRoot)) {
    const path = relative(sessionsRoot, file).split(sep).join('/')
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (TEMPORARY.test(name)) continue
    signal?.throwIfAborted()
    let text = ''
    try {
      if (name !== LOG)
        throw new SnapshotError('BAD_FIXTURE', `${path}: not a session log (expected ${LOG})`)
      text = await readText(file, { name: path, signal })
      const header = readHeader(text, path)
      const other = found.find((log) => log.header.id === header.id)
      if (other !== undefined) {
        const message = `${path}: has the session id of ${other.path}: ${header.id}`
        throw new SnapshotError('BAD_FIXTURE', message)
      }
      found.push({ path, text, header })
    } catch (error) {
      signal?.throwIfAborted()
      refused.push({ path, text, problem: messageOf(error) })
    }
  }
  return [...orderSessions(found), ...refused]
}

async function filesBelow(root: string): Promise<string[]> {
  let entries
  try {
    entries = await readdir(root, { recursive: true, withFileTypes: true })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
