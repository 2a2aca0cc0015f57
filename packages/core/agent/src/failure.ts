import { messageOf } from 'dsh-brand'
import type { CoreEvents } from 'dsh-session'

/** What is known of a failed model call: what its event says, apart from where it stands. */
export type Failure = Pick<
  CoreEvents['llm/failure'],
  'message' | 'code' | 'status' | 'retryAfterMs'
>

/**
 * Reads anything that was thrown. Never throws, and gives nothing that a log could not hold: what is
 * decided by a failure must be decided in the same way once it was read back.
 */
export function failureOf(error: unknown): Failure {
  const code = fieldOf(error, 'code')
  const status = asCount(fieldOf(error, 'status'))
  const retryAfterMs = asWait(fieldOf(error, 'retryAfterMs'))
  return {
    message: messageOf(error),
    ...(typeof code === 'string' && { code }),
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}

function fieldOf(error: unknown, key: string): unknown {
  try {
    return (error as Readonly<Record<string, unknown>> | null | undefined)?.[key]
  } catch {
    return undefined
  }
}

/** One that is too long to be logged is a long wait all the same, and not none. */
function asWait(value: unknown): number | undefined {
  return asCount(typeof value === 'number' ? Math.min(value, Number.MAX_SAFE_INTEGER) : value)
}

/** Rounded up, so that nothing is tried earlier than asked; undefined for what is no count. */
function asCount(value: unknown): number | undefined {
  if (typeof value !== 'number') return undefined
  const count = Math.ceil(Math.max(value, 0))
  return Number.isSafeInteger(count) ? count : undefined
}
