import { isFields } from '../log/lines.ts'
import type { LogRecord } from '../log/records.ts'
import type { Difference } from './types.ts'

type EventFacts = Pick<Difference, 'eventType' | 'call' | 'turn' | 'step' | 'tool'>

/** What is known of the place of an event, from the log up to it and from itself. */
export function eventFacts(
  records: readonly LogRecord[],
  index: number,
  at: LogRecord,
): EventFacts {
  const { type, data } = at.value
  const { turn, step } = isFields(data) ? data : {}
  const tool = toolOf(records.slice(0, index), at)
  const call = callsUntil(records, index)
  return {
    ...(typeof type === 'string' && { eventType: type }),
    ...(typeof turn === 'number' && { turn }),
    ...(typeof step === 'number' && { step }),
    ...(tool !== undefined && { tool }),
    ...(call > 0 && { call }),
  }
}

/** A result names its call, and the call its tool. */
function toolOf(before: readonly LogRecord[], { value }: LogRecord): string | undefined {
  const { type, data } = value
  if (!isFields(data)) return undefined
  if (type === 'tool/call') return String(data['name'])
  if (type !== 'tool/result') return undefined
  const call = before.findLast(
    (record) =>
      record.value['type'] === 'tool/call' &&
      isFields(record.value['data']) &&
      record.value['data']['callId'] === data['callId'],
  )
  return call === undefined ? undefined : toolOf([], call)
}

/** How many model calls of the session itself have begun at a record; a seed holds the parent's. */
function callsUntil(records: readonly LogRecord[], index: number): number {
  const seed = records[0]?.value['seedLength']
  const own = typeof seed === 'number' ? seed : 0
  let calls = 0
  let inCall = false
  for (const { value } of records.slice(1 + own, index + 1)) {
    switch (value['type']) {
      case 'step/start':
        inCall = false
        break
      case 'assistant/chunk':
        if (!inCall) calls += 1
        inCall = !JSON.stringify(value['data']).includes('"type":"finish"')
        break
      case 'llm/failure':
        // A call that failed before its first chunk is a call too.
        if (!inCall) calls += 1
        inCall = false
        break
    }
  }
  return calls
}
