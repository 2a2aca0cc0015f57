import type { GenerateOptions } from 'dsh-llm'
import type { TurnEndReason } from 'dsh-session'
import { type Failure, failureOf } from './failure.ts'
import { type ModelCall, runModelCall } from './model-call.ts'
import { OutcomeLog } from './outcome-log.ts'
import { decideRetry } from './retry-policy.ts'
import type { TurnContext } from './turn-context.ts'
import { endOfAbort, endOfFailure } from './turn-end.ts'

/** An answer to go on with, or why the turn ends. */
export type Answered = { readonly call: ModelCall } | { readonly end: TurnEndReason }

/**
 * Makes the model call of one step, as often as the retry policy allows. Each attempt is a call of
 * its own, with chunks of its own in the log.
 */
export async function answerStep(
  context: TurnContext,
  turn: number,
  step: number,
  request: GenerateOptions,
): Promise<Answered> {
  const { session, signal, llm, retry } = context
  const log = new OutcomeLog(session, turn, step, context.logOutcomes)
  for (let attempt = 1; ; attempt += 1) {
    const stream = llm.stream({ ...request, signal, sessionId: session.id })
    const call = await runModelCall(session, turn, step, stream)
    if (signal.aborted) {
      // After a whole answer too: the turn ends without it, and only this event says where it was.
      log.aborted()
      return { end: endOfAbort(signal) }
    }
    const failure = failureOfCall(call)
    if (failure === undefined) return { call }
    // An error that is a finish is in the log already.
    if (call.thrown !== undefined) log.failed(failure)
    const decision = decideRetry(retry, failure, { attempt, shown: call.shown }, context.random)
    if (decision.kind === 'stop') return { end: endOfFailure(step, failure, decision.why) }

    const { delayMs } = decision
    log.retrying(attempt, retry.maxAttempts - 1, delayMs)
    await context.waitToRetry({ delayMs, signal, sessionId: session.id })
    if (signal.aborted) {
      // The attempt that was waited for counts as made: in replay, which does not wait, it is the
      // call that the cancel lands in.
      log.aborted()
      return { end: endOfAbort(signal) }
    }
  }
}

function failureOfCall({ thrown, answer: { finish } }: ModelCall): Failure | undefined {
  if (thrown !== undefined) return failureOf(thrown.error)
  if (finish.kind !== 'error') return undefined
  const { message, code } = finish
  return { message, ...(code !== undefined && { code }) }
}
