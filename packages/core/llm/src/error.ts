import { DshError } from 'dsh-brand'

/** Codes that adapters use; `HTTP_<n>` stands for any status that has no name of its own. */
export type LlmErrorCode =
  | 'AUTH'
  | 'RATE_LIMIT'
  | 'INVALID_REQUEST'
  | 'SERVER'
  | 'EMPTY_RESPONSE'
  | 'MALFORMED_RESPONSE'
  | 'STREAM_CLOSED'
  | 'NO_ADAPTER'
  | 'DUPLICATE_ADAPTER'
  | 'INVALID_STREAM'
  | 'aborted'
  | (string & {})

/** A failed model call. `status` is the HTTP status where there was one. */
export class LlmError extends DshError {
  readonly status: number | undefined
  /** How long the provider asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(
    code: LlmErrorCode,
    message: string,
    details: {
      readonly status?: number
      readonly retryAfterMs?: number
      readonly cause?: unknown
    } = {},
  ) {
    super(code, message, details.cause === undefined ? undefined : { cause: details.cause })
    this.status = details.status
    this.retryAfterMs = details.retryAfterMs
  }
}

/** What a stream rejects with once its signal has aborted. */
export function abortedError(): LlmError {
  return new LlmError('aborted', 'aborted')
}
