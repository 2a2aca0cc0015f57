import { isDeepStrictEqual } from 'node:util'
import type { StreamChunk } from 'dsh-llm'
import { formatLineage, lineageOf, type Session, type SessionHeader } from 'dsh-session'
import type { BindableLane, LiveCaller, LiveNode } from './binder.ts'
import { cwdMapping } from './cwd.ts'
import { mapChunks } from './map-chunks.ts'
import { placeKey } from './place.ts'
import { entryChunks } from './stream.ts'
import type { SessionScript } from './types.ts'

type FindSession = (id: string) => Session | undefined

/** A session without a header at hand. */
export function unknownCaller(session: string): LiveCaller {
  return { chain: [unknownNode(session)], known: false, whole: false }
}

/**
 * What the binder has to know of a live session. `earlier` holds the calls that it had made when it
 * was loaded.
 */
export function liveCaller(
  session: Session,
  find: FindSession,
  earlier: readonly (readonly StreamChunk[])[],
  scripts: readonly SessionScript[],
): LiveCaller {
  const header = (id: string): SessionHeader | undefined =>
    id === session.id ? session.header : find(id)?.header
  const node = (head: SessionHeader): LiveNode => {
    const lineage = lineageOf(head, header)
    return {
      session: head.id,
      place: placeKey(head),
      lineage: lineage === undefined ? undefined : formatLineage(lineage),
    }
  }
  const parents: LiveNode[] = []
  const seen = new Set<string>([session.id])
  let id = session.header.parentSession
  for (; id !== undefined && !seen.has(id); id = header(id)?.parentSession) {
    seen.add(id)
    const head = header(id)
    parents.push(head === undefined ? unknownNode(id) : node(head))
  }
  const top = header(parents.at(-1)?.session ?? session.id)
  return {
    chain: [node(session.header), ...parents],
    known: true,
    whole: top !== undefined && top.parentSession === undefined,
    resumes:
      earlier.length === 0
        ? undefined
        : (lane) => beginsWith(earlier, scripts[lane] as SessionScript, session.cwd),
  }
}

/** What the binder has to know of the recording. */
export function bindableLanes(scripts: readonly SessionScript[]): BindableLane[] {
  const laneOf = new Map(scripts.map(({ header }, lane) => [header.id as string, lane]))
  return scripts.map(({ header, entries, lineage }) => {
    const { parentSession } = header
    const parent = parentSession === undefined ? undefined : laneOf.get(parentSession)
    const child = parentSession !== undefined
    return {
      calls: entries.length,
      parent,
      child,
      // Under a parent that was not recorded, a place says nothing.
      place: child && parent === undefined ? undefined : placeKey(header),
      lineage: lineage === undefined ? undefined : formatLineage(lineage),
    }
  })
}

function unknownNode(session: string): LiveNode {
  return { session, place: undefined, lineage: undefined }
}

/** A call may have been cut short, so its chunks may be fewer than the lane's. */
function beginsWith(
  calls: readonly (readonly StreamChunk[])[],
  { entries, header }: SessionScript,
  cwd: string,
): boolean {
  const mapping = cwdMapping(header.cwd, cwd)
  return calls.every((chunks, at) => {
    const entry = entries[at]
    if (entry === undefined) return false
    const served = mapChunks(entryChunks(entry), mapping)
    return isDeepStrictEqual(chunks, served.slice(0, chunks.length))
  })
}
