import type { Json } from 'dsh-brand'
import { describe, expect, test } from 'vitest'
import { readChatRequest } from '../../src/match/request.ts'
import { calls, type Message, toolResult, user } from '../client.ts'

const read = (messages: Message[], more: object = {}) =>
  readChatRequest({ model: 'm', stream: true, messages, ...more } as Json)
const whyNot = (messages: Message[], more: object = {}): string => {
  const result = read(messages, more)
  if (result.ok) throw new Error('the request was taken')
  return result.why
}

describe('a request', () => {
  test('is taken with what the model does not know', () => {
    const message = { ...user('x'), name: 'u' }
    expect(read([message], { tools: [], temperature: 0 })).toEqual({
      ok: true,
      request: { model: 'm', messages: [message], includeUsage: false },
    })
    const withUsage = read([message], { stream_options: { include_usage: true } })
    expect(withUsage).toMatchObject({ request: { includeUsage: true } })
    expect(read([message], { stream_options: null })).toMatchObject({
      request: { includeUsage: false },
    })
  })

  test('is refused with a reason where a provider would not take it', () => {
    expect(whyNot([user('x')], { stream: false })).toBe(
      'stream: expected true: this model only streams',
    )
    expect(whyNot([])).toContain('messages: Too small')
    expect(whyNot([{ role: 'tools', content: '' }])).toContain('messages.0.role: Invalid option')
    expect(whyNot([user('x')], { model: '' })).toContain('model: Too small')
    expect(readChatRequest('x')).toEqual({
      ok: false,
      why: 'body: Invalid input: expected object, received string',
    })
    expect(whyNot(Array.from({ length: 9 }, () => ({ role: 'x' }))).split('; ')).toHaveLength(5)
  })
})

describe('tool calls and their results', () => {
  test('belong together', () => {
    const turn = [user('x'), calls('a', 'b'), toolResult('b', '1'), toolResult('a', '2')]
    expect(read(turn).ok).toBe(true)
    expect(read([...turn, calls('a'), toolResult('a', '3'), user('y')]).ok).toBe(true)
  })

  test('are refused alone', () => {
    expect(whyNot([user('x'), calls('a', 'b', 'c'), toolResult('b', '')])).toBe(
      'no tool result follows the tool calls "a", "c"',
    )
    expect(whyNot([user('x'), calls('a'), user('y'), toolResult('a', '')])).toBe(
      'no tool result follows the tool calls "a"',
    )
    expect(whyNot([user('x'), toolResult('a', '')])).toBe(
      'messages.1: the tool result "a" answers no tool call right before it',
    )
    expect(whyNot([calls('a'), toolResult('a', ''), toolResult('a', '')])).toBe(
      'messages.2: the tool result "a" answers no tool call right before it',
    )
    expect(whyNot([user('x'), { role: 'tool', content: '' }])).toContain('the tool result ""')
  })
})
