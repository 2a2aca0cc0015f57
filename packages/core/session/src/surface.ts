import type { Message } from 'dsh-llm'
import { surfaceMessage } from './surface-message.ts'
import type { SessionEvent, SurfaceOp } from './types.ts'

interface Node {
  readonly seq: number
  readonly message: Message | undefined
}

/**
 * The conversation as it stands. `replace` names its range by the `seq` of the two nodes at its
 * ends, as they lie in the conversation: a replacement takes the place of what it replaced, so
 * later ranges may begin at a higher `seq` than they end at.
 */
export class Surface {
  private readonly nodes: Node[] = []
  private snapshot: readonly Message[] | undefined

  /** Says why an operation cannot be applied, or undefined. */
  problem(op: SurfaceOp | undefined): string | undefined {
    if (op === undefined || op === 'append') return undefined
    const [start, end] = this.range(op)
    if (start < 0) return `"surfaceOp" replaces from ${op.start}, which is not in the conversation`
    if (end < 0) return `"surfaceOp" replaces up to ${op.end}, which is not in the conversation`
    if (end < start) return `"surfaceOp" replaces from ${op.start} back to ${op.end}`
    return undefined
  }

  /** Takes in one event; those off the surface change nothing. The operation has been checked. */
  apply(event: SessionEvent): void {
    const { surfaceOp: op } = event
    if (op === undefined) return
    const node = { seq: event.seq, message: surfaceMessage(event) }
    this.snapshot = undefined
    if (op === 'append') {
      this.nodes.push(node)
      return
    }
    const [start, end] = this.range(op)
    this.nodes.splice(start, end - start + 1, node)
  }

  /** The messages now. The array never changes afterwards: a request may hold on to it. */
  messages(): readonly Message[] {
    this.snapshot ??= Object.freeze(
      this.nodes.flatMap((node) => (node.message === undefined ? [] : [node.message])),
    )
    return this.snapshot
  }

  private range(op: Exclude<SurfaceOp, string>): [start: number, end: number] {
    const indexOf = (seq: number): number => this.nodes.findIndex((node) => node.seq === seq)
    return [indexOf(op.start), indexOf(op.end)]
  }
}
