import type { LiveCaller, Taken } from './binder.ts'
import type { Cursor } from './cursor.ts'
import { count, describeLanes, type LaneState, laneName, left } from './lane-state.ts'
import type { RequestDifference } from './requests/types.ts'
import type { CallPosition, SessionScript } from './types.ts'

const RECORD_AGAIN = 'If the agent is meant to do this now, record the scenario again.'

export function exhausted(
  { session, lane, script, after }: Cursor,
  call: number,
  states: readonly LaneState[],
): string {
  const earlier = after === 0 ? '' : `, ${after} of them before it was resumed`
  const others = states.filter((state) => state.lane !== lane && left(state) > 0)
  return (
    `script exhausted: ${caller(session)} makes model call ${call}${earlier}, but ${laneName(lane, script)} ` +
    `holds ${count(script.entries.length, 'recorded call')}${lastPlace(script)}. ` +
    `${describeLanes(others, undefined)}${RECORD_AGAIN}`
  )
}

export function unrecordedSession(
  live: LiveCaller,
  number: number,
  states: readonly LaneState[],
): string {
  const calling = states.filter(({ script }) => script.entries.length > 0).length
  return (
    `a model call arrived from an unrecorded session (#${number}): expected ` +
    `${count(calling, 'recorded session')} that call the model, and ${sought(live)} is none of them. ` +
    `${describeLanes(states, live.chain[0].lineage)}${RECORD_AGAIN}`
  )
}

export function laneTaken(
  live: LiveCaller,
  { lane, takenBy }: Taken,
  states: readonly LaneState[],
): string {
  const { script, holder } = states[lane] as LaneState
  const owner =
    holder === takenBy
      ? `which session ${takenBy} has already`
      : `whose parent's lane session ${takenBy} has already`
  return (
    `lane taken: ${sought(live)} has the place of ${laneName(lane, script)}, ${owner}. ` +
    `${describeLanes(states, live.chain[0].lineage)}Two sessions of a run must not have one place: ` +
    'look at what stamps "root" and "spawnedBy".'
  )
}

export function unrecordedPurpose(session: string | undefined, purpose: string): string {
  return (
    `${caller(session)} calls the model for "${purpose}", and no recording holds calls ` +
    'of other purposes than "turn"; switch off what makes this call'
  )
}

export function unrecordedRetry(cursor: Cursor, step: CallPosition, next: CallPosition): string {
  return (
    `unrecorded retry: ${caller(cursor.session)} calls the model again within step ${place(step)}, but ` +
    `${nextCall(cursor)} was recorded in another step, ${place(next)}. ${RECORD_AGAIN}`
  )
}

export function retryBeyond(cursor: Cursor, step: CallPosition): string {
  const { session, lane, script, made } = cursor
  return (
    `unrecorded retry: ${caller(session)} calls the model again within step ${place(step)}, but ` +
    `${laneName(lane, script)} ends with call ${made}${lastPlace(script)}. ${RECORD_AGAIN}`
  )
}

export function missingRetry(cursor: Cursor, step: CallPosition, next: CallPosition): string {
  return (
    `missing retry: ${caller(cursor.session)} went on to step ${place(step)}, but ${nextCall(cursor)} ` +
    `was recorded as a retry within step ${place(next)}. ${RECORD_AGAIN}`
  )
}

/** `first` is what was refused before, in its own words. */
export function poisoned(
  session: string | undefined,
  cursor: Cursor | undefined,
  first: string,
): string {
  const what = cursor === undefined ? 'that session' : laneName(cursor.lane, cursor.script)
  return (
    `lane poisoned: ${caller(session)} goes on calling the model, but ${what} was refused something ` +
    `before, and no later answer would be the recorded one. Look at that first: ${first}`
  )
}

export function requestDiffers(
  { lane, script }: Pick<Cursor, 'lane' | 'script'>,
  call: number,
  { path, expected = 'nothing', actual = 'nothing' }: RequestDifference,
): string {
  return (
    `request differs: call ${call} of ${laneName(lane, script)}: ${path}: expected ${expected}, came ${actual}. ` +
    'If the log of this session differs too, record the scenario again; if not, the agent asks for ' +
    'something else than it logs: correct it, or take "requests": "strict" from the scenario.'
  )
}

export function caller(session: string | undefined): string {
  return session === undefined ? 'a caller without session id' : `session ${session}`
}

export function place({ turn, step }: CallPosition): string {
  return `${turn}/${step}`
}

function nextCall({ lane, script, made }: Cursor): string {
  return `call ${made + 1} of ${laneName(lane, script)}`
}

function lastPlace({ positions }: SessionScript): string {
  const last = positions.at(-1)
  return last === undefined ? '' : `, the last in step ${place(last)}`
}

/** A live session with what would place it. */
function sought({ chain: [{ session, lineage }, parent] }: LiveCaller): string {
  const place = lineage === undefined ? 'lineage not known' : `lineage ${lineage}`
  const by = parent === undefined ? '' : `, started by session ${parent.session}`
  return `session ${session} (${place}${by})`
}
