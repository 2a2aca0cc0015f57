import type { ReadyStream } from '../script/ready.ts'

/** One thing to do on a connection. A plan ends in `end`, `drop` or `hang`. */
export type Act =
  | { readonly act: 'send'; readonly data: string }
  | { readonly act: 'wait'; readonly ms: number }
  | { readonly act: 'hold'; readonly name: string }
  | { readonly act: 'hang'; readonly name: string }
  | { readonly act: 'drop' }
  | { readonly act: 'end'; readonly data: string }

const DEFAULT_LINGER_MS = 100
const HALF_AN_OBJECT = '{"choices":[{"delta":{"content":'

/** Turns events into what is done on the connection, pacing and fault included. */
export function planStream(answer: ReadyStream, events: readonly string[]): Act[] {
  const comments = Array.from({ length: answer.keepAlive }, (): Act => sending(': keep-alive\n\n'))
  return [...comments, ...planEvents(answer, events)]
}

function planEvents(answer: ReadyStream, events: readonly string[]): Act[] {
  const { fault, gapMs, pause = '' } = answer
  if (fault === undefined) return [...paced(events, gapMs), FINISH]
  if (fault.kind === 'no-done') return [...paced(events, gapMs), { act: 'end', data: '' }]

  const before = paced(events.slice(0, fault.after), gapMs)
  const rest = events.slice(fault.after)
  switch (fault.kind) {
    case 'cut':
      before.push({ act: 'wait', ms: fault.lingerMs ?? DEFAULT_LINGER_MS }, { act: 'drop' })
      break
    case 'hang':
      before.push({ act: 'hang', name: pause })
      break
    case 'hold':
      before.push({ act: 'hold', name: pause }, ...paced(rest, gapMs), FINISH)
      break
    case 'malformed': {
      const all = [...events.slice(0, fault.after), fault.data ?? HALF_AN_OBJECT, ...rest]
      return [...paced(all, gapMs), FINISH]
    }
  }
  return before
}

function paced(events: readonly string[], gapMs: number): Act[] {
  const wait: Act[] = gapMs > 0 ? [{ act: 'wait', ms: gapMs }] : []
  return events.flatMap((event, position): Act[] =>
    position === 0 ? [sending(frame(event))] : [...wait, sending(frame(event))],
  )
}

function sending(data: string): Act {
  return { act: 'send', data }
}

function frame(data: string): string {
  return `data: ${data}\n\n`
}

// In one act: a client may leave as soon as it sees this, and has still got all of its answer.
const FINISH: Act = { act: 'end', data: frame('[DONE]') }
