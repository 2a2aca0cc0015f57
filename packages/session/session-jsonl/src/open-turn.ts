import type { CoreEvents, SessionEvent } from 'dsh-session'

interface PendingCall {
  /** The `tool/call`, or the assistant message where the call was not logged yet. */
  readonly seq: number
  readonly callId: unknown
  readonly started: boolean
}

type Data = Readonly<Record<string, unknown>>

/**
 * Follows a log and knows what a crash after its last event leaves open. Reads only what it needs
 * of `data`; where that is missing, nothing is open.
 */
export class OpenTurn {
  private last: SessionEvent | undefined
  private turn: number | undefined
  private step: number | undefined
  private pending: PendingCall[] = []

  observe(event: SessionEvent): void {
    this.last = event
    const data = (typeof event.data === 'object' ? (event.data ?? {}) : {}) as Data
    switch (event.type) {
      case 'turn/start':
        this.turn = numberOf(data.turn)
        break
      case 'step/start':
        this.step = numberOf(data.step)
        break
      case 'assistant/message':
        this.expectCalls(event.seq, data)
        break
      case 'tool/call':
        this.startCall(event.seq, data.callId)
        break
      case 'tool/result':
        this.settleCall(event, data)
        break
      case 'step/end':
        this.endStep()
        break
      case 'turn/end':
        this.endStep()
        this.turn = undefined
        break
      default:
    }
  }

  /**
   * The events that close what is open: an error result for each pending call, `step/end`,
   * `turn/end interrupted`. Their times repeat the last event's.
   */
  closers(): SessionEvent[] {
    const { last, turn, step, pending } = this
    if (last === undefined || turn === undefined) return []
    const events: SessionEvent[] = []
    const add = (type: string, data: unknown, extras: Partial<SessionEvent> = {}): void => {
      events.push({ type, seq: last.seq + 1 + events.length, time: last.time, data, ...extras })
    }
    if (step !== undefined) {
      for (const { seq, callId } of pending) {
        const result = interruptedResult(turn, step, callId)
        add('tool/result', result, { sourceEventSeqs: [seq], surfaceOp: 'append' })
      }
      add('step/end', { turn, step })
    }
    add('turn/end', { turn, reason: { kind: 'interrupted' } })
    return events
  }

  // A model answers a call that has no result with an error, so calls count from the moment when
  // the message that asks for them is in the conversation.
  private expectCalls(seq: number, data: Data): void {
    const { content } = data
    if (!Array.isArray(content)) return
    for (const block of content as (Data | null)[]) {
      if (block?.type === 'tool-call') this.pending.push({ seq, callId: block.id, started: false })
    }
  }

  private startCall(seq: number, callId: unknown): void {
    // Providers repeat call ids, so the first that has not started is the one; it keeps its place.
    const found = this.pending.findIndex((call) => !call.started && call.callId === callId)
    const index = found < 0 ? this.pending.length : found
    this.pending[index] = { seq, callId, started: true }
  }

  private settleCall(event: SessionEvent, data: Data): void {
    const bySource = this.pending.findIndex((call) => event.sourceEventSeqs?.includes(call.seq))
    const index =
      bySource >= 0 ? bySource : this.pending.findIndex((call) => call.callId === data.callId)
    if (index >= 0) this.pending.splice(index, 1)
  }

  private endStep(): void {
    this.step = undefined
    this.pending = []
  }
}

function interruptedResult(turn: number, step: number, callId: unknown): CoreEvents['tool/result'] {
  return {
    turn,
    step,
    callId: String(callId),
    content: [{ type: 'text', text: 'Error: interrupted before the tool had finished' }],
    isError: true,
    error: { name: 'InterruptedError', code: 'interrupted' },
  }
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
