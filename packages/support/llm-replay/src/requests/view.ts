import type { GenerateOptions, Message, ToolSchema } from 'dsh-llm'
import type { JsonRecord } from '../json.ts'

/** What a request says to the model, in the terms of a log's request header. */
export interface RequestView {
  readonly config: JsonRecord
  readonly system: string
  readonly tools: readonly ToolSchema[]
  readonly messages: readonly Message[]
}

/** Who calls, why, and what ends the call is not said to the model; all else that is set is. */
export function viewOf(request: GenerateOptions): RequestView {
  const { system = '', tools = [], messages, signal, sessionId, purpose, ...rest } = request
  void [signal, sessionId, purpose]
  // In the order of a logged header, in whatever order it was put together.
  const { model, temperature, maxTokens, stop, ...others } = rest
  return { config: { model, temperature, maxTokens, stop, ...others }, system, tools, messages }
}
