import type { Cursor } from './cursor.ts'
import type { CallPosition, SessionScript } from './types.ts'

const RECORD_AGAIN = 'If the agent is meant to do this now, record the scenario again.'

export function exhausted({ session, lane, script, after }: Cursor, call: number): string {
  const earlier = after === 0 ? '' : `, ${after} of them before it was resumed`
  return (
    `script exhausted: ${caller(session)} makes model call ${call}${earlier}, but ${laneName(lane, script)} ` +
    `holds ${count(script.entries.length, 'call')}${lastPlace(script)}. ${RECORD_AGAIN}`
  )
}

export function unrecordedSession(
  session: string,
  number: number,
  scripts: readonly SessionScript[],
  cursors: ReadonlyMap<string | undefined, Cursor>,
): string {
  const owners = new Map<number, string | undefined>()
  for (const cursor of cursors.values()) {
    if (cursor.session !== undefined) owners.set(cursor.lane, cursor.session)
  }
  const lanes = scripts.map((script, lane) => {
    const owner = owners.get(lane)
    const state =
      owner !== undefined ? `taken by session ${owner}` : `never claimed, since it holds no calls`
    return `${laneName(lane, script)} ${state}`
  })
  const expected = scripts.filter(({ entries }) => entries.length > 0).length
  return (
    `a model call arrived from an unrecorded session (#${number}): expected ` +
    `${count(expected, 'session')} that call the model, and session ${session} is one more ` +
    `(${lanes.join('; ')}). ${RECORD_AGAIN}`
  )
}

export function unrecordedPurpose(session: string | undefined, purpose: string): string {
  return (
    `${caller(session)} calls the model for "${purpose}", and no recording holds calls ` +
    'of other purposes than "turn"; switch off what makes this call'
  )
}

export function retry(
  { session, lane, script, made }: Cursor,
  step: CallPosition,
  next: CallPosition,
  retried: boolean,
): string {
  const where = `call ${made + 1} of ${laneName(lane, script)}`
  return retried
    ? `unrecorded retry: ${caller(session)} calls the model again within step ${place(step)}, but ` +
        `${where} was recorded in another step, ${place(next)}. ${RECORD_AGAIN}`
    : `missing retry: ${caller(session)} went on to step ${place(step)}, but ${where} was recorded ` +
        `as a retry within step ${place(next)}. ${RECORD_AGAIN}`
}

export function laneName(lane: number, script: SessionScript): string {
  return `lane ${lane} (${script.file})`
}

export function caller(session: string | undefined): string {
  return session === undefined ? 'a caller without session id' : `session ${session}`
}

export function place({ turn, step }: CallPosition): string {
  return `${turn}/${step}`
}

function lastPlace({ positions }: SessionScript): string {
  const last = positions.at(-1)
  return last === undefined ? '' : `, the last in step ${place(last)}`
}

function count(number: number, noun: string): string {
  return `${number} recorded ${noun}${number === 1 ? '' : 's'}`
}
