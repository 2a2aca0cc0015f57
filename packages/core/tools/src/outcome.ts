import { DshError, messageOf } from 'dsh-brand'
import type { ToolOutcome } from './types.ts'

/** The outcome of a call that answered with one text. */
export function textOutcome(text: string): ToolOutcome {
  return { content: [{ type: 'text', text }] }
}

/** What the model and the log get for something that was thrown. Never throws. */
export function failureOutcome(error: unknown): ToolOutcome {
  const content = [{ type: 'text', text: `Error: ${safeMessageOf(error)}` }] as const
  if (!DshError.is(error)) return { content, isError: true }
  return { content, isError: true, error: { name: error.name, code: error.code } }
}

function safeMessageOf(error: unknown): string {
  try {
    return messageOf(error)
  } catch {
    // A thrown value may have no string form at all, and a call must not reject for that.
    return 'something was thrown that cannot be shown as text'
  }
}
