import { LlmError } from './error.ts'
import type { AssistantBlock, BlockType, FinishReason, StreamChunk, TokenUsage } from './types.ts'

/** What a whole stream amounts to. */
export interface AssembledAnswer {
  /** In ascending `index`. */
  readonly content: readonly AssistantBlock[]
  readonly usage?: TokenUsage
  /** `stop` where the stream had no `finish`. */
  readonly finish: FinishReason
}

type OpenBlock =
  | { type: 'text' | 'reasoning'; text: string }
  | { type: 'tool-call'; id: string; name: string; arguments: string }

/**
 * Folds chunks into an answer. The first `block-end` of an index is authoritative and later deltas
 * of that index are ignored; streams of deltas alone are accepted; a `block-start` alone makes no
 * block; the last `usage` counts.
 */
export class Assembler {
  private readonly open = new Map<number, OpenBlock>()
  private readonly closed = new Map<number, AssistantBlock>()
  private usage: TokenUsage | undefined
  private finish: FinishReason | undefined

  /** @throws LlmError `MALFORMED_RESPONSE` when one open index gets deltas of two kinds. */
  push(chunk: StreamChunk): void {
    switch (chunk.type) {
      case 'block-start':
        break
      case 'text-delta':
        this.pushText('text', chunk.index, chunk.text)
        break
      case 'reasoning-delta':
        this.pushText('reasoning', chunk.index, chunk.text)
        break
      case 'tool-call-delta':
        this.pushCall(chunk)
        break
      case 'block-end':
        if (!this.closed.has(chunk.index)) this.closed.set(chunk.index, chunk.block)
        break
      case 'usage':
        this.usage = chunk.usage
        break
      case 'finish':
        this.finish = chunk.reason
        break
    }
  }

  /** What has come so far. Later chunks do not change what was returned. */
  result(): AssembledAnswer {
    const blocks = new Map<number, AssistantBlock>()
    for (const [index, block] of this.open) blocks.set(index, { ...block })
    for (const [index, block] of this.closed) blocks.set(index, block)
    const content = [...blocks].sort(([a], [b]) => a - b).map(([, block]) => block)
    return {
      content,
      ...(this.usage !== undefined && { usage: this.usage }),
      finish: this.finish ?? { kind: 'stop' },
    }
  }

  private pushText(type: 'text' | 'reasoning', index: number, text: string): void {
    if (this.closed.has(index)) return
    const block = this.open.get(index)
    if (block === undefined) this.open.set(index, { type, text })
    else if (block.type === type) block.text += text
    else throw mixed(index, block.type, type)
  }

  private pushCall(chunk: StreamChunk & { type: 'tool-call-delta' }): void {
    const { index, id, name = '', argumentsDelta } = chunk
    if (this.closed.has(index)) return
    const block = this.open.get(index)
    if (block === undefined) {
      this.open.set(index, { type: 'tool-call', id, name, arguments: argumentsDelta })
      return
    }
    if (block.type !== 'tool-call') throw mixed(index, block.type, 'tool-call')
    block.arguments += argumentsDelta
    // Some providers name the call after its first piece.
    if (block.name === '') block.name = name
  }
}

function mixed(index: number, expected: BlockType, came: BlockType): LlmError {
  return new LlmError(
    'MALFORMED_RESPONSE',
    `block ${index} of the stream began as ${expected} and went on as ${came}; blocks must not share an index`,
  )
}
