import type { ReadyStream } from '../script/ready.ts'
import type { ScriptedUsage } from '../types.ts'

/** What an answer takes from the request that it answers. */
export interface Envelope {
  readonly id: string
  /** Seconds since the epoch. */
  readonly created: number
  readonly model: string
  /** Whether the request asked for usage. */
  readonly includeUsage: boolean
  /** The id of the nth tool call, from 0, where the script gives none. */
  readonly callId: (position: number) => string
}

interface Choice {
  readonly delta: Record<string, unknown>
  readonly finish?: string
}

/**
 * The events of an answer as JSON texts, in the provider's order and with its order of keys, without
 * `[DONE]`. Where an answer reasons, each delta carries both texts and one of them is null.
 */
export function renderEvents(answer: ReadyStream, envelope: Envelope): string[] {
  const choices = renderChoices(answer, envelope.callId)
  const usage = envelope.includeUsage ? answer.usage : undefined
  const own = usage !== undefined && answer.usageOn === 'own'
  const events = choices.map((choice, position) => {
    const carries = usage !== undefined && !own && position === choices.length - 1
    return renderEvent(envelope, [choice], carries ? usage : undefined)
  })
  if (own) events.push(renderEvent(envelope, [], usage))
  return events
}

/** The number of events up to and with the finish: what a fault may come after. */
export function countEvents(answer: ReadyStream): number {
  return renderChoices(answer, () => '').length
}

function renderChoices(answer: ReadyStream, callId: Envelope['callId']): Choice[] {
  const reasons = answer.reasoning.length > 0
  const text = (content: string): Record<string, unknown> =>
    reasons ? { content, reasoning_content: null } : { content }
  const opening = reasons
    ? { role: 'assistant', content: null, reasoning_content: '' }
    : { role: 'assistant', content: '' }
  return [
    { delta: opening },
    ...answer.reasoning.map((piece) => ({ delta: { content: null, reasoning_content: piece } })),
    ...answer.text.map((piece) => ({ delta: text(piece) })),
    ...answer.calls.flatMap((call, index) => [
      callDelta({
        index,
        id: call.id ?? callId(index),
        type: 'function',
        function: { name: call.name, arguments: '' },
      }),
      ...call.arguments.map((piece) => callDelta({ index, function: { arguments: piece } })),
    ]),
    { delta: text(''), finish: answer.finish },
  ]
}

function callDelta(call: Record<string, unknown>): Choice {
  return { delta: { tool_calls: [call] } }
}

function renderEvent(
  envelope: Envelope,
  choices: readonly Choice[],
  usage: ScriptedUsage | undefined,
): string {
  return JSON.stringify({
    id: envelope.id,
    object: 'chat.completion.chunk',
    created: envelope.created,
    model: envelope.model,
    system_fingerprint: 'fp_wire',
    choices: choices.map(({ delta, finish }) => ({
      index: 0,
      delta,
      logprobs: null,
      finish_reason: finish ?? null,
    })),
    ...(envelope.includeUsage && { usage: usage === undefined ? null : renderUsage(usage) }),
  })
}

function renderUsage(usage: ScriptedUsage): Record<string, unknown> {
  const cached = usage.cached ?? 0
  return {
    prompt_tokens: usage.prompt,
    completion_tokens: usage.completion,
    total_tokens: usage.prompt + usage.completion,
    prompt_tokens_details: { cached_tokens: cached },
    ...(usage.reasoning !== undefined && {
      completion_tokens_details: { reasoning_tokens: usage.reasoning },
    }),
    prompt_cache_hit_tokens: cached,
    prompt_cache_miss_tokens: usage.prompt - cached,
  }
}
