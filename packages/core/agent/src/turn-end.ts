import { messageOf } from 'dsh-brand'
import type { FinishReason } from 'dsh-llm'
import type { TurnEndReason } from 'dsh-session'

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

/** The end of a turn whose stream threw in `step`. */
export function endOfThrow(step: number, error: unknown): TurnEndReason {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code
  return {
    kind: 'error',
    step,
    message: messageOf(error),
    ...(typeof code === 'string' && { code }),
  }
}

/** The end that a finish alone decides, or undefined where the turn may go on. */
export function endOfFinish(step: number, finish: FinishReason): TurnEndReason | undefined {
  switch (finish.kind) {
    case 'stop':
    case 'tool-calls':
      return undefined
    case 'max-tokens':
      return { kind: 'max-tokens' }
    case 'aborted':
      return { kind: 'aborted' }
    case 'error':
      return {
        kind: 'error',
        step,
        message: finish.message,
        ...(finish.code !== undefined && { code: finish.code }),
      }
  }
}
