import { DshError } from 'dsh-brand'
import type { RefusalCode } from './types.ts'

/** What can be wrong with a replay, apart from the calls that it refuses. */
export type ReplayErrorCode =
  | RefusalCode
  | 'CONFIG_INVALID'
  | 'FIXTURE_NOT_FOUND'
  | 'FIXTURE_INVALID'
  | 'OVERRIDE_INVALID'
  | 'REPORT_FAILED'
  | 'REQUEST_DIFFERS'
  | 'REPLAY_DISPOSED'

/** Every failure of the replay itself; a provider's recorded failure is an `LlmError` instead. */
export class ReplayError extends DshError {
  declare readonly code: ReplayErrorCode

  constructor(code: ReplayErrorCode, message: string, options?: ErrorOptions) {
    super(code, `llm-replay: ${message}`, options)
  }
}
