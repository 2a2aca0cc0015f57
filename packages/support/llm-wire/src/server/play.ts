import type { ServerResponse } from 'node:http'
import { type Clock, delay } from 'dsh-brand'
import type { Act } from '../render/plan.ts'
import type { ServedOutcome } from '../types.ts'
import type { Pauses } from './pauses.ts'
import { settle } from './settle.ts'

/** What an answer is played on. The signal aborts with the outcome: who ended it. */
export interface Stage {
  readonly response: ServerResponse
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly pauses: Pauses
  readonly request: number
}

/** Does what the plan says, one after the other, and says how it ended. */
export async function playStream(acts: readonly Act[], stage: Stage): Promise<ServedOutcome> {
  const { response } = stage
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  })
  // A hang before the first event must still show that the answer has begun.
  response.flushHeaders()
  for (const act of acts) {
    if (stage.signal.aborted) break
    if (act.act === 'drop') {
      // Destroying aborts the signal too, as if the client had left.
      response.destroy()
      return 'cut'
    }
    await perform(act, stage)
  }
  return outcomeOf(stage.signal)
}

/** Sends an answer that is no stream. */
export async function playWhole(
  answer: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  },
  stage: Pick<Stage, 'response' | 'signal'>,
): Promise<ServedOutcome> {
  const { response, signal } = stage
  response.statusCode = answer.status
  response.setHeader('content-type', 'application/json')
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value)
  await settle(signal, (done) => response.end(answer.body, done))
  return outcomeOf(signal)
}

async function perform(
  act: Exclude<Act, { act: 'drop' }>,
  { response, signal, clock, pauses, request }: Stage,
): Promise<void> {
  switch (act.act) {
    case 'send':
      // The callback comes once the system has the bytes: that is the back-pressure.
      await settle(signal, (done) => response.write(act.data, done))
      break
    case 'wait':
      await delay(clock, act.ms, signal)
      break
    case 'hold':
    case 'hang':
      await pauses.stop({ kind: act.act, name: act.name, request }, signal)
      break
    case 'end':
      await settle(signal, (done) => response.end(act.data, done))
      break
  }
}

function outcomeOf(signal: AbortSignal): ServedOutcome {
  return signal.aborted ? (signal.reason as ServedOutcome) : 'completed'
}
