import { describe, expect, test } from 'vitest'
import { conversationKey, facetsOf } from '../../src/match/facets.ts'
import type { ChatMessage } from '../../src/match/request.ts'
import { assistant, calls, type Message, toolResult, user } from '../client.ts'

const facets = (...messages: Message[]) =>
  facetsOf(messages as unknown as ChatMessage[], 1, undefined)
const system = { role: 'system', content: 'S' }

describe('facets', () => {
  test('of a first call', () => {
    expect(facets(system, user('hi'))).toEqual({
      firstUser: 'hi',
      lastUser: 'hi',
      turn: 1,
      step: 1,
      attempt: 1,
    })
  })

  test('of a later step of a later turn', () => {
    const messages = [
      system,
      user('a'),
      assistant('b'),
      user('c'),
      calls('x'),
      toolResult('x', 'r'),
    ]
    expect(facets(...messages)).toEqual({
      firstUser: 'a',
      lastUser: 'c',
      lastToolResult: 'r',
      turn: 2,
      step: 2,
      attempt: 1,
    })
    const next = facets(...messages, calls('y'), toolResult('y', 'q'))
    expect(next).toMatchObject({ step: 3, lastToolResult: 'q' })
    const steered = facets(...messages, user('stop'))
    expect(steered).toMatchObject({ step: 1, turn: 3, lastUser: 'stop' })
    expect(steered).not.toHaveProperty('lastToolResult')
  })

  test('join the text of parts, and do without', () => {
    const parts = [{ type: 'text', text: 'a' }, { type: 'image_url' }, { type: 'text', text: 'b' }]
    expect(facets(user(parts))).toMatchObject({ firstUser: 'ab' })
    expect(facets(user(null))).toMatchObject({ firstUser: '' })
    expect(facets(system, assistant('x'))).toEqual({ turn: 0, step: 2, attempt: 1 })
  })

  test('take attempt and lineage as given', () => {
    expect(facetsOf([], 4, '0/1')).toEqual({ turn: 0, step: 1, attempt: 4, lineage: '0/1' })
  })
})

test('conversations are the same by caller and messages only', () => {
  const messages: ChatMessage[] = [{ role: 'user', content: 'x' }]
  const key = conversationKey(messages, undefined)
  expect(conversationKey([{ role: 'user', content: 'x' }], undefined)).toBe(key)
  expect(conversationKey(messages, '0')).not.toBe(key)
  expect(conversationKey([{ role: 'user', content: 'y' }], undefined)).not.toBe(key)
  expect(key).toHaveLength(64)
})
