import { expect, test } from 'vitest'
import type { SessionEvent } from 'dsh-session'
import { lastText } from '../src/last-text.ts'

let seq = 0
const event = (type: string, data: unknown): SessionEvent => ({ type, seq: seq++, time: 0, data })
const message = (...content: readonly object[]): SessionEvent =>
  event('assistant/message', { turn: 1, step: 1, content })
const text = (value: string): object => ({ type: 'text', text: value })

test.each<[string, string, SessionEvent[]]>([
  ['no message', '', [event('turn/start', {}), event('user/message', { content: [text('x')] })]],
  ['the last of several', 'b', [message(text('a')), message(text('b')), event('step/end', {})]],
  [
    'its text blocks in order',
    'ab',
    [message(text('a'), { type: 'reasoning', text: 'r' }, text('b'))],
  ],
  [
    'a last message without text',
    '',
    [message(text('a')), message({ type: 'reasoning', text: 'r' })],
  ],
  ['a last message without content', '', [message(text('a')), message()]],
])('%s', (_what, expected, log) => {
  expect(lastText(log)).toBe(expected)
})
