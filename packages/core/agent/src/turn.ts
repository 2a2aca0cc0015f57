import type { Clock } from 'dsh-brand'
import type { GenerateOptions, LlmService, ToolCallBlock } from 'dsh-llm'
import type { Session, Source, TurnEndReason } from 'dsh-session'
import type { ToolRegistry } from 'dsh-tools'
import type { HeaderLog } from './header-log.ts'
import { type ModelCall, logAnswer, runModelCall } from './model-call.ts'
import { headerOf } from './request.ts'
import { runToolCalls } from './tool-calls.ts'
import { endOfAbort, endOfFinish, endOfThrow } from './turn-end.ts'
import type { PromptInput, TurnResult } from './types.ts'

const USER: Source = { kind: 'user' }

/** What a turn works with. */
export interface TurnContext {
  readonly session: Session
  readonly llm: LlmService
  readonly tools: ToolRegistry
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly headers: HeaderLog
  /** Takes what is waiting to be steered in. */
  drainSteering(): readonly PromptInput[]
  hasSteering(): boolean
  /** The request of the next step, last look included; without signal and session id. */
  assemble(): GenerateOptions
}

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
    return { end: endOfThrow(step, error), calledTools: false }
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
  let call: ModelCall
  try {
    const stream = context.llm.stream({ ...request, signal, sessionId: session.id })
    call = await runModelCall(session, turn, step, stream)
  } catch (error) {
    const end = signal.aborted ? endOfAbort(signal) : endOfThrow(step, error)
    return { end, calledTools: false }
  }
  if (signal.aborted) return { end: endOfAbort(signal), calledTools: false }

  const { content, finish } = call.answer
  const end = endOfFinish(step, finish)
  if (end !== undefined && end.kind !== 'max-tokens') return { end, calledTools: false }
  // A call that the token limit may have cut is not to be trusted, nor may it stay unanswered.
  const kept = end === undefined ? content : content.filter((block) => block.type !== 'tool-call')
  logAnswer(session, turn, step, kept, call)

  const calls = kept.filter((block): block is ToolCallBlock => block.type === 'tool-call')
  await runToolCalls({ ...context, turn, step }, calls)
  if (signal.aborted) return { end: endOfAbort(signal), calledTools: true }
  return { ...(end !== undefined && { end }), calledTools: calls.length > 0 }
}
