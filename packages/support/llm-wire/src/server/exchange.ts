import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Clock, type Json, messageOf } from 'dsh-brand'
import { readChatRequest } from '../match/request.ts'
import { type Envelope, renderEvents } from '../render/events.ts'
import { planStream } from '../render/plan.ts'
import type { RefusalCode, ServedOutcome } from '../types.ts'
import { readBody } from './body.ts'
import { headerOf, selectHeaders } from './headers.ts'
import type { Arrival, Ledger, Refusal, Serving } from './ledger.ts'
import type { Pauses } from './pauses.ts'
import { playStream, playWhole, type Stage } from './play.ts'

/** What all exchanges of a server share. */
export interface Desk {
  readonly ledger: Ledger
  readonly pauses: Pauses
  readonly clock: Clock
  readonly maxBodyBytes: number
  /** Lower case. */
  readonly sessionHeader: string
}

const PATHS = new Set(['/chat/completions', '/v1/chat/completions'])

const STATUS: Record<RefusalCode, number> = {
  unscripted: 500,
  ambiguous: 500,
  consumed: 500,
  limit: 500,
  bad_request: 400,
  incomplete: 400,
  not_found: 404,
  too_large: 413,
}

/** One request from its arrival to the end of its answer. The signal aborts when either side ends it. */
export async function exchange(
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
  desk: Desk,
): Promise<void> {
  const decision = await decide(request, desk)
  if (decision.kind === 'refuse') {
    await refuse(decision, { response, signal })
    return
  }
  const stage = { ...desk, response, signal, request: decision.serving.number }
  desk.ledger.end(stage.request, await serve(decision, stage))
}

interface Answering {
  readonly kind: 'serve'
  readonly serving: Serving
  readonly model: string
  readonly includeUsage: boolean
  readonly lineage: string | undefined
}

async function decide(request: IncomingMessage, desk: Desk): Promise<Answering | Refusal> {
  const { ledger } = desk
  const kept = ledger.arrive()
  const body = await readBody(request, kept ? desk.maxBodyBytes : 0)
  if (!kept) return ledger.limitRefusal()

  const [path = ''] = String(request.url).split('?')
  const lineage = headerOf(request.headers, desk.sessionHeader)
  const arrival: Arrival = {
    method: String(request.method),
    path,
    headers: selectHeaders(request.headers, desk.sessionHeader),
    ...(lineage !== undefined && { lineage }),
  }
  if (arrival.method !== 'POST' || !PATHS.has(path)) {
    const why = `${arrival.method} ${path} is not served, only POST /chat/completions`
    return ledger.refuse(arrival, 'not_found', why)
  }
  if (body.kind === 'too_large') {
    return ledger.refuse(arrival, 'too_large', `its body is over ${desk.maxBodyBytes} bytes`)
  }
  if (body.kind === 'incomplete') {
    return ledger.refuse(arrival, 'incomplete', 'the client left before its body was complete')
  }
  let value: Json
  try {
    value = JSON.parse(body.text) as Json
  } catch (error) {
    return ledger.refuse(arrival, 'bad_request', `its body is not JSON: ${messageOf(error)}`)
  }
  const whole: Arrival = { ...arrival, body: value }
  const chat = readChatRequest(value)
  if (!chat.ok) return ledger.refuse(whole, 'bad_request', chat.why)
  const serving = ledger.decide(whole, chat.request)
  if (serving.kind === 'refuse') return serving
  const { model, includeUsage } = chat.request
  return { kind: 'serve', serving, model, includeUsage, lineage }
}

async function refuse(
  { code, message }: Refusal,
  stage: Pick<Stage, 'response' | 'signal'>,
): Promise<void> {
  const error = { message: `llm-wire: ${message}`, type: 'wire_refused', param: null, code }
  const body = JSON.stringify({ error })
  await playWhole({ status: STATUS[code], headers: {}, body }, stage)
}

function serve(answering: Answering, stage: Stage): Promise<ServedOutcome> {
  const { rule } = answering.serving
  const { answer } = rule
  if (answer.kind === 'status') return playWhole(answer, stage)
  return playStream(
    planStream(answer, renderEvents(answer, envelopeOf(answering, stage.clock))),
    stage,
  )
}

/**
 * Generated ids are made from the rule, the caller and how often the caller has used it: recorded
 * again, with siblings in another order, they are the same.
 */
function envelopeOf(answering: Answering, clock: Clock): Envelope {
  const { serving, lineage, model, includeUsage } = answering
  const seed = JSON.stringify([serving.rule.key, lineage ?? null, serving.nth])
  const hash = (part: string): string =>
    createHash('sha256').update(`${seed} ${part}`).digest('hex').slice(0, 24)
  return {
    id: `wire-${hash('answer')}`,
    created: Math.floor(clock.now() / 1000),
    model,
    includeUsage,
    callId: (position) => `call_${String(position).padStart(2, '0')}_${hash(`call ${position}`)}`,
  }
}
