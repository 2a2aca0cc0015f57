import type { TextBlock } from 'dsh-llm'
import type { CoreEvents, SessionEvent } from 'dsh-session'

/** The text of the last assistant message among these events; empty where it has none. */
export function lastText(events: readonly SessionEvent[]): string {
  const last = events.findLast(({ type }) => type === 'assistant/message')
  if (last === undefined) return ''
  const { content } = last.data as CoreEvents['assistant/message']
  return content
    .filter((block): block is TextBlock => block.type === 'text')
    .map(({ text }) => text)
    .join('')
}
