import { isCount, type SessionEvent } from 'dsh-session'
import { isRecord, show } from './json.ts'
import type { CallPosition } from './types.ts'

/** What a log says about a call that ended without an answer. */
export interface RecordedFailure extends CallPosition {
  readonly kind: 'error' | 'aborted'
  readonly message: string
  readonly code?: string
  readonly status?: number
  readonly retryAfterMs?: number
}

/** Reads the data of an `llm/failure` event; a text says what is wrong with it. */
export function readFailure({ data }: SessionEvent): RecordedFailure | string {
  if (!isRecord(data)) return `"data" must be an object, not ${show(data)}`
  const { turn, step, kind, message, code, status, retryAfterMs } = data
  for (const [key, value] of Object.entries({ turn, step })) {
    if (!isCount(value)) return `"${key}" must be an integer of 0 or more, not ${show(value)}`
  }
  if (kind !== 'error' && kind !== 'aborted') {
    return `"kind" must be "error" or "aborted", not ${show(kind)}`
  }
  if (typeof message !== 'string') return `"message" must be a string, not ${show(message)}`
  if (code !== undefined && typeof code !== 'string') {
    return `"code" must be a string, not ${show(code)}`
  }
  for (const [key, value] of Object.entries({ status, retryAfterMs })) {
    if (value !== undefined && !isCount(value)) {
      return `"${key}" must be an integer of 0 or more, not ${show(value)}`
    }
  }
  return data as unknown as RecordedFailure
}
