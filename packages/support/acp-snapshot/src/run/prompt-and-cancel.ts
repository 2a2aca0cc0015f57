import { access } from 'node:fs/promises'
import path from 'node:path'
import { methods, type PromptResponse } from '@agentclientprotocol/sdk'
import { messageOf } from 'dsh-brand'
import type { CancelAfter } from '../scenario/types.ts'
import { answered, sendPrompt } from './requests.ts'
import { newestSession, type ScriptContext, StepError, type StepOf } from './script.ts'
import { pollUntil } from './wait.ts'

/** Sends a prompt, waits until it has come far enough, cancels it, and awaits its answer. */
export async function promptAndCancel(
  context: ScriptContext,
  step: StepOf<'promptAndCancel'>,
): Promise<void> {
  const { host, stop, sessions } = context
  const session = newestSession(context)
  const after = step.after ?? { update: 'agent_message_chunk' }
  const root = sessions.ids.indexOf(session)
  const turn = sessions.promptsOf(session) + 1
  if (context.hangs.isFree(root, turn) && !isHeldByTool(after)) throw new StepError(racing(after))
  const reached = condition(context, session, after)
  const answer = sendPrompt(context, session, step.text)
  await stop.until(beforeEnd(answer, reached, describe(after)), describe(after))
  const ready = context.hangs.wait(root, turn, stop.signal)
  const hangs = context.hangs.describe(root, turn)
  await stop.until(beforeEnd(answer, ready, hangs), hangs)
  await stop.until(
    host.client.agent.notify(methods.agent.session.cancel, { sessionId: session }),
    'session/cancel to be sent',
  )
  const { stopReason } = await answered(context, methods.agent.session.prompt, answer)
  sessions.countPrompt(session)
  if (stopReason !== 'cancelled') throw new StepError(tooLate(after, stopReason))
}

/** Updates that a running tool sends, one that waits to be cancelled. */
const OF_TOOLS = new Set(['tool_call', 'tool_call_update'])

function isHeldByTool(after: CancelAfter): boolean {
  return 'file' in after || OF_TOOLS.has(after.update)
}

const HOLD =
  'let a tool wait for the cancel, and cancel after a file that it makes or after its tool_call'

/** Replay answers at once: where such a cancel lands, nothing decides. */
function racing(after: CancelAfter): string {
  return (
    `no call of this turn is recorded as a hang, so nothing holds the turn at ${describe(after)} ` +
    `until the cancel is there: record it with a model that waits there, or ${HOLD}`
  )
}

function tooLate(after: CancelAfter, stopReason: string): string {
  return (
    `the prompt ended with ${stopReason}, since the cancel after ${describe(after)} came too late: ` +
    `record it with a model that waits there, or ${HOLD}`
  )
}

/** Watches from now on, so it is called before the prompt goes out. */
function condition(context: ScriptContext, session: string, after: CancelAfter): Promise<void> {
  if ('update' in after) {
    return context.host.client.updates.wait(session, after.update, after.nth ?? 1)
  }
  const file = path.resolve(context.cwd, after.file)
  const exists = (): Promise<boolean> =>
    access(file).then(
      () => true,
      () => false,
    )
  const { clock, limits, stop } = context
  return pollUntil(exists, { clock, pollMs: limits.pollMs, signal: stop.signal })
}

function describe(after: CancelAfter): string {
  return 'update' in after
    ? `update ${after.nth ?? 1} of kind ${after.update}`
    : `file ${after.file}`
}

/** A prompt that ends first can no longer be cancelled at the point that the script means. */
function beforeEnd(
  answer: Promise<PromptResponse>,
  reached: Promise<void>,
  what: string,
): Promise<void> {
  const ended = answer.then(
    ({ stopReason }) => {
      throw new StepError(`the prompt ended with ${stopReason} before ${what}`)
    },
    (error: unknown) => {
      throw new StepError(`the prompt failed with "${messageOf(error)}" before ${what}`)
    },
  )
  return Promise.race([reached, ended])
}
