import type { Cursor } from './cursor.ts'
import { samePosition } from './live.ts'
import * as words from './messages.ts'
import type { CallPosition, RefusalCode } from './types.ts'

export interface RetryProblem {
  readonly code: Extract<RefusalCode, 'UNRECORDED_RETRY' | 'MISSING_RETRY'>
  readonly message: string
}

/**
 * Whether a session's next call is a retry on one side only, which would give every later call the
 * answer of its neighbour. `step` is the live step of that call. Beyond the end of its lane a call
 * within the step of the last one is a retry as well, and no further step of the agent.
 */
export function retryProblem(cursor: Cursor, step: CallPosition): RetryProblem | undefined {
  const { lastStep, made, script } = cursor
  if (lastStep === undefined) return undefined
  const retried = samePosition(step, lastStep)
  if (made >= script.entries.length) {
    if (!retried) return undefined
    return { code: 'UNRECORDED_RETRY', message: words.retryBeyond(cursor, step) }
  }
  const [previous, next] = [script.positions[made - 1], script.positions[made]]
  // The entries of a sidecar have no place.
  if (previous === undefined || next === undefined) return undefined
  if (retried === samePosition(next, previous)) return undefined
  return retried
    ? { code: 'UNRECORDED_RETRY', message: words.unrecordedRetry(cursor, step, next) }
    : { code: 'MISSING_RETRY', message: words.missingRetry(cursor, step, next) }
}
