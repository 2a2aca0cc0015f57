import type { SessionEvent } from 'dsh-session'
import { isRecord } from './json.ts'
import type { RecordedToolCall } from './types.ts'

type OpenCall = { -readonly [K in keyof RecordedToolCall]: RecordedToolCall[K] } & {
  readonly seq: number
  readonly callId: unknown
}

/**
 * Collects the tool calls of a log with their results. A result belongs to the call that its
 * `sourceEventSeqs` names; a log without them is matched by call id, first open call first, since
 * providers repeat ids. Calls of shapes that we do not know are left out: only a tool that is
 * `recorded` needs them, and it then says that its call is not there.
 */
export function deriveToolCalls(events: readonly SessionEvent[]): RecordedToolCall[] {
  const calls: OpenCall[] = []
  const counts = new Map<string, number>()
  for (const event of events) {
    const { data } = event
    if (!isRecord(data)) continue
    if (event.type === 'tool/call') {
      const { turn, step, callId, name, arguments: args } = data
      if (typeof turn !== 'number' || typeof step !== 'number') continue
      // Unknown shapes are counted, so that the positions of the others stay right.
      const place = `${turn}/${step}`
      const call = counts.get(place) ?? 0
      counts.set(place, call + 1)
      if (typeof name !== 'string' || typeof args !== 'string') continue
      calls.push({ turn, step, call, name, arguments: args, seq: event.seq, callId })
    } else if (event.type === 'tool/result') {
      const call = calls.find(
        (open) =>
          open.result === undefined &&
          (event.sourceEventSeqs === undefined
            ? open.callId === data.callId && open.turn === data.turn && open.step === data.step
            : event.sourceEventSeqs.includes(open.seq)),
      )
      if (call !== undefined) call.result = data
    }
  }
  return calls.map(({ seq: _seq, callId: _callId, ...call }) => call)
}
