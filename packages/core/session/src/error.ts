import { DshError } from 'dsh-brand'

/** What went wrong with an event, a log or a session. Stable, for programs. */
export type SessionErrorCode =
  | 'INVALID_EVENT'
  | 'INVALID_SESSION'
  | 'REENTRANT_APPEND'
  | 'SESSION_DISPOSED'
  | 'SESSION_NOT_FOUND'
  | 'NO_BACKEND'
  | 'DUPLICATE_BACKEND'
  | 'CORRUPT_LOG'
  | 'UNSUPPORTED_VERSION'
  | 'SECOND_WRITER'
  | 'WRITE_FAILED'

/** Why an event, a log or a session is refused; the message says where. */
export class SessionError extends DshError {
  declare readonly code: SessionErrorCode

  constructor(code: SessionErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options)
  }
}

/** An event that does not follow the one before it. The message does not say where: readers do. */
export class SeqGapError extends SessionError {
  readonly expected: number
  readonly got: number

  constructor(expected: number, got: number) {
    super('CORRUPT_LOG', `seq gap (expected ${expected}, got ${got})`)
    this.expected = expected
    this.got = got
  }
}
