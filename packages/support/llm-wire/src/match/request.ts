import type { Json } from 'dsh-brand'
import { z } from 'zod'

/** The parts of a message that are looked at; the others are kept. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content?: string | readonly { readonly text?: string | undefined }[] | null | undefined
  readonly tool_calls?: readonly { readonly id: string }[] | undefined
  readonly tool_call_id?: string | undefined
}

/** A request that the provider would take. */
export interface ChatRequest {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly includeUsage: boolean
}

const message = z.looseObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z
    .union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))])
    .nullish(),
  tool_calls: z
    .array(
      z.looseObject({
        id: z.string(),
        type: z.literal('function'),
        function: z.looseObject({ name: z.string(), arguments: z.string() }),
      }),
    )
    .optional(),
  tool_call_id: z.string().optional(),
})

const body = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  stream: z.literal(true, { error: 'expected true: this model only streams' }),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
})

/** Reads a request body, or says why the provider would refuse it. */
export function readChatRequest(
  value: Json,
): { readonly ok: true; readonly request: ChatRequest } | { readonly ok: false; why: string } {
  const result = body.safeParse(value)
  if (!result.success) {
    const faults = result.error.issues.slice(0, 5)
    const why = faults.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`)
    return { ok: false, why: why.join('; ') }
  }
  const { model, messages, stream_options } = result.data
  const why = findLooseEnd(messages)
  if (why !== undefined) return { ok: false, why }
  const includeUsage = stream_options?.include_usage === true
  return { ok: true, request: { model, messages, includeUsage } }
}

/**
 * Providers refuse a history in which a tool call has no result, or a result no call. A model that
 * let it pass would hide a fault that only shows with a real one.
 */
function findLooseEnd(messages: readonly ChatMessage[]): string | undefined {
  let waiting = new Set<string>()
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      const id = message.tool_call_id ?? ''
      if (!waiting.delete(id)) {
        return `messages.${index}: the tool result "${id}" answers no tool call right before it`
      }
      continue
    }
    if (waiting.size > 0) break
    waiting = new Set(message.tool_calls?.map((call) => call.id))
  }
  if (waiting.size === 0) return undefined
  return `no tool result follows the tool calls ${[...waiting].map((id) => `"${id}"`).join(', ')}`
}
