import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { messageOf } from 'dsh-brand'
import { type LogHeader, readHeader } from '../log/header.ts'
import type { HarvestedLog } from '../run/types.ts'
import { orderSessions } from './order.ts'

/** A log with the facts of its header. */
export interface HarvestedSession extends HarvestedLog {
  readonly header: LogHeader
}

/** Everything below a sessions root. Paths are relative to it, with `/`. */
export interface Harvest {
  /** Depth first along the delegations: `session.jsonl`, then `session.1.jsonl`, … */
  readonly sessions: readonly HarvestedSession[]
  /** What cannot be part of the comparison, each with the reason: never empty by accident. */
  readonly problems: readonly { readonly path: string; readonly message: string }[]
}

const LOG = 'session.jsonl'

/**
 * A backend that is killed while it publishes a log leaves its temporary file behind. It holds
 * nothing that was ever committed, so it is no finding.
 */
const TEMPORARY = /^\..+|(?:\.tmp|~)$|\.tmp[.-]/

/**
 * Reads every `session.jsonl` below the root, in whatever folders. A root that does not exist is
 * empty: an agent that made no session writes none.
 */
export async function harvest(sessionsRoot: string): Promise<Harvest> {
  const found: HarvestedSession[] = []
  const problems: { path: string; message: string }[] = []
  const ids = new Map<string, string>()
  for (const file of await filesBelow(sessionsRoot)) {
    const path = relative(sessionsRoot, file).split(sep).join('/')
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (TEMPORARY.test(name)) continue
    if (name !== LOG) {
      problems.push({ path, message: `not a session log (expected only ${LOG} files here)` })
      continue
    }
    try {
      const text = await readFile(file, 'utf8')
      const header = readHeader(text, path)
      const other = ids.get(header.id)
      if (other !== undefined) {
        problems.push({ path, message: `has the session id of ${other}: ${header.id}` })
        continue
      }
      ids.set(header.id, path)
      found.push({ path, text, header })
    } catch (error) {
      problems.push({ path, message: messageOf(error) })
    }
  }
  return { sessions: orderSessions(found), problems }
}

/** The logs of `harvest`, for callers that look at the problems elsewhere. */
export async function harvestSessionLogs(sessionsRoot: string): Promise<HarvestedSession[]> {
  return [...(await harvest(sessionsRoot)).sessions]
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
