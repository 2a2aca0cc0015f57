import type { FinishReason } from 'dsh-llm'
import type { TurnEndReason } from 'dsh-session'
import type { Failure } from './failure.ts'

/** What a turn is aborted with: the reason that its end will be logged as. */
export class TurnAbort extends Error {
  readonly reason: TurnEndReason

  constructor(reason: TurnEndReason) {
    super('aborted')
    this.reason = reason
  }
}

/** The end that an aborted signal stands for; of a turn's signal, the end of that turn. */
export function endOfAbort(signal: AbortSignal): TurnEndReason {
  const cause: unknown = signal.reason
  return cause instanceof TurnAbort ? cause.reason : { kind: 'aborted' }
}

/** The end of a turn that a failure in `step` ended; `why` is added to its message. */
export function endOfFailure(step: number, failure: Failure, why?: string): TurnEndReason {
  const { message, code } = failure
  return {
    kind: 'error',
    step,
    message: why === undefined ? message : `${message} (${why})`,
    ...(code !== undefined && { code }),
  }
}

/** The end that the finish of an answer decides, or undefined where the turn may go on. */
export function endOfFinish({ kind }: FinishReason): TurnEndReason | undefined {
  return kind === 'max-tokens' || kind === 'aborted' ? { kind } : undefined
}
