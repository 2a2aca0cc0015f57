import type { ContentBlock, Message } from 'dsh-llm'
import { deepFreeze } from './seal.ts'
import type { SessionEvent } from './types.ts'

/**
 * What one surface event puts into the conversation. Undefined where it puts nothing: an assistant
 * message without content, and data of a shape that is not known here (readers keep such events,
 * but the model cannot be shown what cannot be read).
 */
export function surfaceMessage(event: SessionEvent): Message | undefined {
  const data = asRecord(event.data)
  // Later logs nest the finished message inside the data.
  const nested = asRecord(data.message)
  if (Array.isArray(nested.content)) return nonEmpty(roleOf(event), nested.content)
  if (!Array.isArray(data.content)) return undefined
  const content = data.content as readonly ContentBlock[]
  switch (event.type) {
    case 'assistant/message':
      return nonEmpty('assistant', content)
    case 'tool/result':
      return deepFreeze({ role: 'user', content: [toolResult(data, content)] })
    case 'context/message':
    case 'steering/message':
      return deepFreeze({ role: 'user', content: wrap(asRecord(data.source).kind, content) })
    default:
      return deepFreeze({ role: 'user', content })
  }
}

function roleOf(event: SessionEvent): 'assistant' | 'user' {
  return event.type === 'assistant/message' ? 'assistant' : 'user'
}

function nonEmpty(
  role: 'assistant' | 'user',
  content: readonly ContentBlock[],
): Message | undefined {
  return role === 'assistant' && content.length === 0 ? undefined : deepFreeze({ role, content })
}

function toolResult(
  data: Readonly<Record<string, unknown>>,
  content: readonly ContentBlock[],
): ContentBlock {
  const block = { type: 'tool-result', toolCallId: String(data.callId), content } as const
  return data.isError === true ? { ...block, isError: true } : block
}

function wrap(kind: unknown, content: readonly ContentBlock[]): readonly ContentBlock[] {
  return [
    { type: 'text', text: `<context source="${String(kind)}">` },
    ...content,
    { type: 'text', text: '</context>' },
  ]
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
