import type { GenerateOptions, ToolCallBlock } from 'dsh-llm'
import type { Session, Source, TurnEndReason } from 'dsh-session'
import { answerStep } from './attempts.ts'
import { failureOf } from './failure.ts'
import { logAnswer } from './model-call.ts'
import { headerOf } from './request.ts'
import { runToolCalls } from './tool-calls.ts'
import type { TurnContext } from './turn-context.ts'
import { endOfAbort, endOfFailure, endOfFinish } from './turn-end.ts'
import type { PromptInput, TurnResult } from './types.ts'

const USER: Source = { kind: 'user' }

/** Runs one turn up to its logged end. Flushing is the caller's. */
export async function runTurn(context: TurnContext, input: PromptInput): Promise<TurnResult> {
  const { session } = context
  const turn = nextTurn(session)
  const source = input.source ?? USER
  session.append('turn/start', { turn, trigger: { kind: 'message', source } })
  session.append('user/message', { content: input.content, source }, { surfaceOp: 'append' })
  const reason = await runSteps(context, turn)
  session.append('turn/end', { turn, reason })
  return { turn, reason }
}

/** Last logged turn + 1, a fork's inherited turns included. */
function nextTurn(session: Session): number {
  const last = session.events.findLast((event) => event.type === 'turn/start')
  const turn = (last?.data as { readonly turn?: unknown } | undefined)?.turn
  return typeof turn === 'number' ? turn + 1 : 1
}

async function runSteps(context: TurnContext, turn: number): Promise<TurnEndReason> {
  for (let step = 1; ; step += 1) {
    const outcome = await closing(step, () => runStep(context, turn, step))
    if (outcome.end !== undefined) return outcome.end
    if (!outcome.calledTools && !context.hasSteering()) return { kind: 'completed' }
  }
}

interface StepOutcome {
  readonly end?: TurnEndReason
  readonly calledTools: boolean
}

/** Whatever a step trips over, a request that is vetoed too: its turn has an end in the log. */
async function closing(step: number, run: () => Promise<StepOutcome>): Promise<StepOutcome> {
  try {
    return await run()
  } catch (error) {
    return { end: endOfFailure(step, failureOf(error)), calledTools: false }
  }
}

async function runStep(context: TurnContext, turn: number, step: number): Promise<StepOutcome> {
  const { session } = context
  for (const { content, source } of context.drainSteering()) {
    const data = { turn, content, source: source ?? USER }
    session.append('steering/message', data, { surfaceOp: 'append' })
  }
  const request = context.assemble()
  session.append('step/start', { turn, step })
  try {
    context.headers.record(headerOf(request))
    return await answerAndAct(context, turn, step, request)
  } finally {
    session.append('step/end', { turn, step })
  }
}

async function answerAndAct(
  context: TurnContext,
  turn: number,
  step: number,
  request: GenerateOptions,
): Promise<StepOutcome> {
  const { session, signal } = context
  const answered = await answerStep(context, turn, step, request)
  if ('end' in answered) return { end: answered.end, calledTools: false }

  const { call } = answered
  const { content, finish } = call.answer
  const end = endOfFinish(finish)
  if (end !== undefined && end.kind !== 'max-tokens') return { end, calledTools: false }
  // A call that the token limit may have cut is not to be trusted, nor may it stay unanswered.
  const kept = end === undefined ? content : content.filter((block) => block.type !== 'tool-call')
  logAnswer(session, turn, step, kept, call)

  const calls = kept.filter((block): block is ToolCallBlock => block.type === 'tool-call')
  await runToolCalls({ ...context, turn, step }, calls)
  if (signal.aborted) return { end: endOfAbort(signal), calledTools: true }
  return { ...(end !== undefined && { end }), calledTools: calls.length > 0 }
}
