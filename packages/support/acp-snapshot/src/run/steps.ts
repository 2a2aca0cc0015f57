import { methods, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import { messageOf } from 'dsh-brand'
import { SnapshotError } from '../error.ts'
import type { Step } from '../scenario/types.ts'
import { promptAndCancel } from './prompt-and-cancel.ts'
import { answered, refused, sendPrompt } from './requests.ts'
import { newestSession, type ScriptContext, StepError, type StepOf } from './script.ts'

/** Does the steps in order, until one fails or the run is stopped. What fails becomes its fault. */
export async function runSteps(context: ScriptContext, steps: readonly Step[]): Promise<void> {
  const { stop } = context
  for (const [index, step] of steps.entries()) {
    if (stop.signal.aborted) return
    stop.enter(index, step.op)
    try {
      await runStep(context, step)
    } catch (error) {
      fail(context, error)
    }
  }
}

/** Changes nothing where the run was stopped already: the first cause stands. */
function fail({ stop }: ScriptContext, error: unknown): void {
  if (error instanceof SnapshotError && error.code === 'BAD_REPORT') {
    stop.stop({ kind: 'report-unreadable', message: error.message })
    return
  }
  stop.failStep(messageOf(error))
}

async function runStep(context: ScriptContext, step: Step): Promise<void> {
  switch (step.op) {
    case 'initialize':
      return initialize(context, step)
    case 'newSession':
      return newSession(context)
    case 'newSessionExpectError':
      return newSessionExpectError(context, step)
    case 'prompt':
      return prompt(context, step)
    case 'promptExpectError':
      return promptExpectError(context, step)
    case 'promptAndCancel':
      return promptAndCancel(context, step)
    case 'cancel':
      return cancel(context)
    case 'loadSession':
      return loadSession(context)
    case 'restart':
      return restart(context)
  }
}

async function initialize(context: ScriptContext, step: StepOf<'initialize'>): Promise<void> {
  const method = methods.agent.initialize
  await answered(
    context,
    method,
    context.host.client.agent.request(method, {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: step.terminalOutput === true ? { _meta: { terminal_output: true } } : {},
    }),
  )
}

async function newSession(context: ScriptContext): Promise<void> {
  const method = methods.agent.session.new
  const answer = await answered<{ readonly sessionId?: unknown }>(
    context,
    method,
    context.host.client.agent.request(method, { cwd: context.cwd, mcpServers: [] }),
  )
  if (typeof answer.sessionId !== 'string' || answer.sessionId === '') {
    throw new StepError(`${method} answered without a sessionId: ${JSON.stringify(answer)}`)
  }
  context.sessions.add(answer.sessionId)
}

async function newSessionExpectError(
  context: ScriptContext,
  step: StepOf<'newSessionExpectError'>,
): Promise<void> {
  const method = methods.agent.session.new
  const { additionalDirectories } = step
  await refused(
    context,
    method,
    context.host.client.agent.request(method, {
      cwd: context.cwd,
      mcpServers: [],
      ...(additionalDirectories === undefined
        ? {}
        : { additionalDirectories: [...additionalDirectories] }),
    }),
  )
}

async function prompt(context: ScriptContext, step: StepOf<'prompt'>): Promise<void> {
  const session = newestSession(context)
  const answer = sendPrompt(context, session, step.text)
  await answered(context, methods.agent.session.prompt, answer, holding(context, session))
  context.sessions.countPrompt(session)
}

/** A recorded hang waits for a cancel, which a plain prompt never sends. */
function holding({ hangs, sessions }: ScriptContext, session: string): string {
  const named = hangs.named(sessions.ids.indexOf(session), sessions.promptsOf(session) + 1)
  return named === '' ? '' : `; recorded as hangs, which only promptAndCancel ends: ${named}`
}

/** Codes of requests that were turned away before a turn began: invalid request, invalid params. */
const turnedAway = new Set([-32600, -32602])

async function promptExpectError(
  context: ScriptContext,
  step: StepOf<'promptExpectError'>,
): Promise<void> {
  const session = newestSession(context)
  const answer = sendPrompt(context, session, step.text)
  const error = await refused(context, methods.agent.session.prompt, answer)
  if (!turnedAway.has(error.code)) context.sessions.countPrompt(session)
}

async function cancel(context: ScriptContext): Promise<void> {
  const sessionId = newestSession(context)
  const sent = context.host.client.agent.notify(methods.agent.session.cancel, { sessionId })
  await context.stop.until(sent, 'session/cancel to be sent')
}

async function loadSession(context: ScriptContext): Promise<void> {
  const method = methods.agent.session.load
  const sessionId = newestSession(context)
  const request = { sessionId, cwd: context.cwd, mcpServers: [] }
  await answered(context, method, context.host.client.agent.request(method, request))
}

/** The new process knows nothing of the old one: a script goes on with `initialize`. */
async function restart(context: ScriptContext): Promise<void> {
  await context.host.end()
  await context.host.start()
}
