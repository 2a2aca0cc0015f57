import type { StreamChunk } from 'dsh-llm'
import type { Session, SessionEvent } from 'dsh-session'
import { groupCalls } from './call-groups.ts'
import { ownEvents } from './derive.ts'
import { isRecord } from './json.ts'
import type { CallPosition } from './types.ts'

/**
 * The chunks of the model calls that a live session's log already holds, in order. A step that is
 * over without any is a call that failed before its first chunk.
 */
export function earlierCalls(session: Session): (readonly StreamChunk[])[] {
  const own = ownEvents(session.events, session.header)
  const groups = groupCalls(own, `the log of session ${session.id}`)
  const answered = new Set(groups.map(({ turn, step }) => `${turn}/${step}`))
  const silent = own.filter((event) => {
    const at = event.type === 'step/end' ? positionOf(event) : undefined
    return at !== undefined && !answered.has(`${at.turn}/${at.step}`)
  })
  return [
    ...groups.map(({ lastSeq, chunks }) => ({ seq: lastSeq, chunks })),
    ...silent.map(({ seq }) => ({ seq, chunks: [] })),
  ]
    .sort((a, b) => a.seq - b.seq)
    .map(({ chunks }) => chunks)
}

/** The step that a live session is in. */
export function currentStep(session: Session): CallPosition | undefined {
  const { events } = session
  for (let at = events.length - 1; at >= 0; at--) {
    const event = events[at] as SessionEvent
    if (event.type === 'step/start') return positionOf(event)
  }
  return undefined
}

export function samePosition(a: CallPosition | undefined, b: CallPosition | undefined): boolean {
  return a !== undefined && b !== undefined && a.turn === b.turn && a.step === b.step
}

function positionOf({ data }: SessionEvent): CallPosition | undefined {
  if (!isRecord(data)) return undefined
  const { turn, step } = data
  return typeof turn === 'number' && typeof step === 'number' ? { turn, step } : undefined
}
