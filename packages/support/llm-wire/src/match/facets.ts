import { createHash } from 'node:crypto'
import type { Facets } from '../types.ts'
import type { ChatMessage } from './request.ts'

/** What the rules see of a conversation. `attempt` and `lineage` are the caller's to know. */
export function facetsOf(
  messages: readonly ChatMessage[],
  attempt: number,
  lineage: string | undefined,
): Facets {
  const users = messages.filter((message) => message.role === 'user')
  const first = users[0]
  const last = users.at(-1)
  const tail = messages.at(-1)
  const since = last === undefined ? messages : messages.slice(messages.lastIndexOf(last) + 1)
  return {
    ...(first !== undefined && { firstUser: textOf(first) }),
    ...(last !== undefined && { lastUser: textOf(last) }),
    ...(tail?.role === 'tool' && { lastToolResult: textOf(tail) }),
    turn: users.length,
    step: since.filter((message) => message.role === 'assistant').length + 1,
    attempt,
    ...(lineage !== undefined && { lineage }),
  }
}

/** Equal for requests that a retry repeats: the same caller with the same conversation. */
export function conversationKey(
  messages: readonly ChatMessage[],
  lineage: string | undefined,
): string {
  return createHash('sha256')
    .update(JSON.stringify([lineage ?? null, messages]))
    .digest('hex')
}

function textOf(message: ChatMessage): string {
  if (typeof message.content === 'string') return message.content
  return (message.content ?? []).map((part) => part.text ?? '').join('')
}
