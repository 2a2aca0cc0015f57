import {
  type AssistantBlock,
  type FinishReason,
  LlmError,
  type StreamChunk,
  type TokenUsage,
} from 'dsh-llm'
import { excerpt, type Redact } from './text.ts'
import type { WireChunk, WireToolCallDelta, WireUsage } from './wire.ts'

const EXCERPT = 100

type OpenBlock =
  | { readonly type: 'text' | 'reasoning'; readonly index: number; text: string }
  | {
      readonly type: 'tool-call'
      readonly index: number
      readonly id: string
      name: string
      arguments: string
    }
type TextBlock = OpenBlock & { type: 'text' | 'reasoning' }
type CallBlock = OpenBlock & { type: 'tool-call' }

/**
 * Turns the events of one completion into stream chunks: a `block-start` at the first sight of each
 * block, deltas one for one, and at the end all `block-end`s in ascending order, `usage`, `finish`.
 * Indices are given out by first appearance. A completion has at most one block of text and one of
 * reasoning, however they interleave.
 */
export class Translator {
  private readonly blocks: OpenBlock[] = []
  private readonly calls = new Map<number, CallBlock>()
  private text: TextBlock | undefined
  private reasoning: TextBlock | undefined
  private usage: WireUsage | undefined
  private finishReason: string | undefined
  private answered = false
  private readonly redact: Redact

  constructor(redact: Redact) {
    this.redact = redact
  }

  /** @throws LlmError `MALFORMED_RESPONSE` for a tool call that begins without an id. */
  push(chunk: WireChunk): StreamChunk[] {
    const out: StreamChunk[] = []
    this.usage = chunk.usage ?? this.usage
    for (const choice of chunk.choices ?? []) {
      if ((choice.index ?? 0) !== 0) continue
      this.answered = true
      this.finishReason = choice.finish_reason ?? this.finishReason
      const { reasoning_content: reasoning, content, tool_calls: calls } = choice.delta ?? {}
      if (reasoning) this.pushReasoning(reasoning, out)
      if (content) this.pushText(content, out)
      for (const call of calls ?? []) this.pushCall(call, out)
    }
    return out
  }

  /**
   * What closes the answer, once `[DONE]` has come.
   * @throws LlmError `EMPTY_RESPONSE` when there was no answer at all; `MALFORMED_RESPONSE` when it
   *   has no finish reason or a tool call has no name.
   */
  end(): StreamChunk[] {
    if (!this.answered) {
      throw new LlmError('EMPTY_RESPONSE', 'the provider ended the stream without an answer')
    }
    if (this.finishReason === undefined) {
      throw new LlmError('MALFORMED_RESPONSE', 'the provider sent [DONE] without a finish_reason')
    }
    return [
      ...this.blocks.map((block) => ({
        type: 'block-end' as const,
        index: block.index,
        block: closed(block, this.redact),
      })),
      ...(this.usage === undefined ? [] : [{ type: 'usage' as const, usage: toUsage(this.usage) }]),
      {
        type: 'finish',
        reason: toFinish(this.finishReason, this.blocks.length === 0, this.redact),
      },
    ]
  }

  private pushText(text: string, out: StreamChunk[]): void {
    this.text ??= this.open({ type: 'text', index: this.blocks.length, text: '' }, out)
    this.text.text += text
    out.push({ type: 'text-delta', index: this.text.index, text })
  }

  private pushReasoning(text: string, out: StreamChunk[]): void {
    this.reasoning ??= this.open({ type: 'reasoning', index: this.blocks.length, text: '' }, out)
    this.reasoning.text += text
    out.push({ type: 'reasoning-delta', index: this.reasoning.index, text })
  }

  private pushCall(delta: WireToolCallDelta, out: StreamChunk[]): void {
    const name = delta.function?.name ?? ''
    const piece = delta.function?.arguments ?? ''
    let call = this.calls.get(delta.index)
    if (call === undefined) {
      if (!delta.id) {
        throw new LlmError(
          'MALFORMED_RESPONSE',
          `the provider began tool call ${delta.index} without an id`,
        )
      }
      const index = this.blocks.length
      call = this.open({ type: 'tool-call', index, id: delta.id, name: '', arguments: '' }, out)
      this.calls.set(delta.index, call)
    }
    if (call.name === '') call.name = name
    call.arguments += piece
    out.push({
      type: 'tool-call-delta',
      index: call.index,
      id: call.id,
      ...(call.name !== '' && { name: call.name }),
      argumentsDelta: piece,
    })
  }

  private open<B extends OpenBlock>(block: B, out: StreamChunk[]): B {
    this.blocks.push(block)
    out.push({ type: 'block-start', index: block.index, blockType: block.type })
    return block
  }
}

function closed(block: OpenBlock, redact: Redact): AssistantBlock {
  if (block.type !== 'tool-call') return { type: block.type, text: block.text }
  const { id, name } = block
  if (name === '') {
    throw new LlmError(
      'MALFORMED_RESPONSE',
      `the provider never named the tool call "${excerpt(redact(id), EXCERPT)}"`,
    )
  }
  return { type: 'tool-call', id, name, arguments: block.arguments }
}

/** What the provider does not count is left out; the input counts are made disjoint. */
export function toUsage(wire: WireUsage): TokenUsage {
  const cached = wire.prompt_cache_hit_tokens ?? wire.prompt_tokens_details?.cached_tokens
  const reasoning = wire.completion_tokens_details?.reasoning_tokens
  return {
    inputTokens: Math.max(wire.prompt_tokens - (cached ?? 0), 0),
    outputTokens: wire.completion_tokens,
    ...(typeof cached === 'number' && { cacheReadTokens: cached }),
    ...(typeof reasoning === 'number' && { reasoningTokens: reasoning }),
  }
}

function toFinish(reason: string, empty: boolean, redact: Redact): FinishReason {
  switch (reason) {
    case 'length':
      return { kind: 'max-tokens' }
    case 'stop':
    case 'tool_calls':
      if (empty) {
        return {
          kind: 'error',
          message: 'the model completed its answer without any content',
          code: 'EMPTY_RESPONSE',
        }
      }
      return { kind: reason === 'stop' ? 'stop' : 'tool-calls' }
    default:
      return {
        kind: 'error',
        message: `the provider ended the answer with finish_reason "${excerpt(redact(reason), EXCERPT)}"`,
        code: 'FINISH_REASON',
      }
  }
}
