import { DshError, messageOf } from 'dsh-brand'
import type { ToolOutcome } from './types.ts'

/** The outcome of a call that answered with one text. */
export function textOutcome(text: string): ToolOutcome {
  return { content: [{ type: 'text', text }] }
}

/** What the model and the log get for something that was thrown. Never throws. */
export function failureOutcome(error: unknown): ToolOutcome {
  const content = [{ type: 'text', text: `Error: ${messageOf(error)}` }] as const
  if (!DshError.is(error)) return { content, isError: true }
  return { content, isError: true, error: { name: error.name, code: error.code } }
}
