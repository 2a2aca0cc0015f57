import type { AssistantBlock, FinishReason, StreamChunk, TokenUsage } from './types.ts'

/** What a whole stream amounts to. */
export interface AssembledAnswer {
  /** In ascending `index`. */
  readonly content: readonly AssistantBlock[]
  readonly usage?: TokenUsage
  /** `stop` where the stream had no `finish`. */
  readonly finish: FinishReason
}

type Partial =
  | { type: 'text' | 'reasoning'; text: string }
  | { type: 'tool-call'; id: string; name: string; arguments: string }

/**
 * Folds chunks into an answer. The first `block-end` of an index is authoritative and later deltas
 * of that index are ignored; streams of deltas alone are accepted; the last `usage` counts.
 */
export class Assembler {
  private readonly open = new Map<number, Partial>()
  private readonly closed = new Map<number, AssistantBlock>()
  private usage: TokenUsage | undefined
  private finish: FinishReason | undefined

  push(chunk: StreamChunk): void {
    switch (chunk.type) {
      case 'block-start':
        break
      case 'text-delta':
      case 'reasoning-delta':
        this.pushText(chunk.index, chunk.type === 'text-delta' ? 'text' : 'reasoning', chunk.text)
        break
      case 'tool-call-delta':
        this.pushCall(chunk.index, chunk.id, chunk.name, chunk.argumentsDelta)
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

  result(): AssembledAnswer {
    const blocks = new Map<number, AssistantBlock>([...this.open, ...this.closed])
    const content = [...blocks].sort(([a], [b]) => a - b).map(([, block]) => block)
    return {
      content,
      ...(this.usage !== undefined && { usage: this.usage }),
      finish: this.finish ?? { kind: 'stop' },
    }
  }

  private pushText(index: number, type: 'text' | 'reasoning', text: string): void {
    const current = this.open.get(index)
    if (current?.type === type) current.text += text
    else this.open.set(index, { type, text })
  }

  private pushCall(index: number, id: string, name: string | undefined, piece: string): void {
    const current = this.open.get(index)
    if (current?.type === 'tool-call') {
      current.arguments += piece
      if (current.name === '' && name !== undefined) current.name = name
      return
    }
    this.open.set(index, { type: 'tool-call', id, name: name ?? '', arguments: piece })
  }
}
