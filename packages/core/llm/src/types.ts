import type { Branded, JsonObject } from 'dsh-brand'

/**
 * The grammar of a model's answer, as law.
 *
 *   stream      = { chunk } usage? finish
 *   chunk       = block-start | text-delta | reasoning-delta | tool-call-delta | block-end
 *
 * Blocks correlate by the integer `index`. `usage` comes before `finish`; nothing follows `finish`.
 * A stream that fails throws from its iterator instead of finishing.
 */
export type StreamChunk =
  | { readonly type: 'block-start'; readonly index: number; readonly blockType: BlockType }
  | { readonly type: 'text-delta'; readonly index: number; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly index: number; readonly text: string }
  | {
      readonly type: 'tool-call-delta'
      readonly index: number
      readonly id: string
      readonly name?: string
      /** The next piece of the raw JSON text of the arguments. */
      readonly argumentsDelta: string
    }
  | { readonly type: 'block-end'; readonly index: number; readonly block: AssistantBlock }
  | { readonly type: 'usage'; readonly usage: TokenUsage }
  | { readonly type: 'finish'; readonly reason: FinishReason }

/** What sort of block a chunk belongs to. */
export type BlockType = AssistantBlock['type']

/** Why the model stopped. */
export type FinishReason =
  | { readonly kind: 'stop' }
  | { readonly kind: 'tool-calls' }
  | { readonly kind: 'max-tokens' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'error'; readonly message: string; readonly code?: string }

/** Token counts; the input counts are disjoint, so that their sum is the prompt. */
export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens?: number
  readonly cacheWriteTokens?: number
  readonly reasoningTokens?: number
}

/** What is said to the reader. */
export interface TextBlock {
  readonly type: 'text'
  readonly text: string
}
/** What the model thinks before it answers. */
export interface ReasoningBlock {
  readonly type: 'reasoning'
  readonly text: string
}
/** A call of a tool that the model asks for. */
export interface ToolCallBlock {
  readonly type: 'tool-call'
  readonly id: string
  readonly name: string
  /** The raw JSON text, exactly as the model wrote it; may be empty or not parse. */
  readonly arguments: string
}
/** What a tool gave back, for the call with this id. */
export interface ToolResultBlock {
  readonly type: 'tool-result'
  readonly toolCallId: string
  readonly content: readonly ContentBlock[]
  readonly isError?: boolean
}
/** What a model can write. */
export type AssistantBlock = TextBlock | ReasoningBlock | ToolCallBlock
/** What a message is made of. */
export type ContentBlock = AssistantBlock | ToolResultBlock

/**
 * One message of a conversation as the model sees it. Results of tools stand in a `user` message.
 */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: readonly ContentBlock[]
}

/** A tool as the model sees it. `parameters` is a JSON Schema of type object. */
export interface ToolSchema {
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
}

/** What a call is for. A turn of the conversation unless said otherwise. */
export type Purpose = 'turn' | 'compaction' | 'title' | (string & {})

/**
 * One model call.
 *
 * `sessionId` names the calling session; listeners route by it, adapters ignore it (but for an
 * opt-in that asks `LineageOf`). `signal` ends the call: the stream then rejects with an error
 * named `AbortError` or with code `aborted`, and the adapter releases what it holds. Values that
 * are absent are not sent.
 */
export interface GenerateOptions {
  /** The name by which the adapters know it. */
  readonly model: string
  /** The system prompt. */
  readonly system?: string
  /** The conversation, oldest first. */
  readonly messages: readonly Message[]
  /** In the order in which they are offered: lexicographic by name. */
  readonly tools?: readonly ToolSchema[]
  /** Sampling temperature. Default: the provider's. */
  readonly temperature?: number
  /** The most tokens that the answer may have. Default: the provider's. */
  readonly maxTokens?: number
  /** Texts at which the model stops. */
  readonly stop?: readonly string[]
  /** Ends the call, before the first chunk or between two. */
  readonly signal?: AbortSignal
  /** The session that calls. Absent for calls that belong to none. */
  readonly sessionId?: Branded<'SessionId'>
  /** Absent means `turn`. */
  readonly purpose?: Purpose
}

/** A wait between two attempts at one call. */
export interface RetryWait {
  readonly delayMs: number
  /** Ends the wait, and the call with it. */
  readonly signal: AbortSignal
  readonly sessionId: Branded<'SessionId'>
}

/**
 * Names the place of a session in its delegation tree as printable ASCII that is the same in every
 * run; undefined where it is unknown. Whoever keeps the sessions may provide it as `ctx.lineageOf`.
 */
export type LineageOf = (sessionId: Branded<'SessionId'>) => string | undefined

/**
 * A model stream. It starts when it is first iterated and may be iterated once; leaving the loop
 * early (`return`) releases it. Errors surface from the iterator, never from the call that made it.
 */
export type ModelStream = AsyncIterable<StreamChunk>

/**
 * Speaks one provider's wire. Registered with `ctx.llm.register`; answers the models for which
 * `serves` is true. Must throw `LlmError`s only (or what the abort made), and must release its
 * connection however the iteration ends.
 */
export interface LlmAdapter {
  readonly name: string
  serves(model: string): boolean
  stream(options: GenerateOptions): ModelStream
}
