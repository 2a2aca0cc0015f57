import { expect, it } from 'vitest'
import { collectCallIds, mapStrings, Settled } from '../../src/normalise/walk.ts'

const up = (text: string) => text.toUpperCase()
const alike = (text: (text: string) => string) => ({ text, word: text })

it('rewrites every string and key, and nothing else', () => {
  const value = { a: 'x', b: ['y', 1, null, true, { c: 'z' }] }
  expect(JSON.stringify(mapStrings(value, alike(up)))).toBe(
    '{"A":"X","B":["Y",1,null,true,{"C":"Z"}]}',
  )
  expect(mapStrings(null, alike(up))).toBe(null)
})

it('leaves what is settled', () => {
  expect(mapStrings({ a: new Settled('x') }, alike(up))).toEqual({ A: 'x' })
})

it('loses no entry when two keys become one', () => {
  const same = (text: string) => (text === 'b' || text === 'c' ? 'a' : text)
  expect(JSON.stringify(mapStrings({ a: 1, b: 2, c: 3 }, alike(same)))).toBe('{"a":1,"b":2,"c":3}')
  expect(JSON.stringify(mapStrings({ b: 2, c: 3 }, alike(same)))).toBe('{"a":2,"c":3}')
})

it('keeps a key named __proto__', () => {
  const value: unknown = JSON.parse('{"__proto__":"x"}')
  expect(
    JSON.stringify(
      mapStrings(
        value,
        alike((text) => text),
      ),
    ),
  ).toBe('{"__proto__":"x"}')
})

const withCallIds = {
  callId: 'a',
  toolCallId: 'b',
  parentCallId: 'c',
  subCallId: 'd',
  id: 'not',
  block: { type: 'tool-call', id: 'e' },
  chunk: { type: 'tool-call-delta', id: 'F' },
  row: { id: 'g', args: [] },
  text: { type: 'text', id: 'not' },
  list: [{ callId: 'h' }, { callId: 3 }, { callId: { callId: 'i' } }],
  recallId: 'not',
  callIds: 'not',
}

it('keeps call ids', () => {
  const keepKeys = (text: string) => (text.length === 1 ? '!' : text === 'not' ? 'NOT' : text)
  expect(mapStrings(withCallIds, alike(keepKeys))).toEqual({
    ...withCallIds,
    id: 'NOT',
    text: { type: 'text', id: 'NOT' },
    recallId: 'NOT',
    callIds: 'NOT',
  })
})

it('collects call ids in lower case', () => {
  const found = new Set<string>()
  collectCallIds(withCallIds, found)
  expect([...found].sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'])
  collectCallIds('text', found)
  collectCallIds(null, found)
  expect(found.size).toBe(9)
})

it('tells the words of the formats from texts', () => {
  const texts = { text: (text: string) => `t:${text}`, word: (word: string) => `w:${word}` }
  const words = ['type', 'blockType', 'kind', 'method', 'jsonrpc', 'sessionUpdate', 'role']
  for (const key of [...words, 'status', 'stopReason', 'surfaceOp']) {
    expect(mapStrings({ [key]: 'x' }, texts)).toEqual({ [`w:${key}`]: 'w:x' })
    expect(mapStrings({ [key]: ['x', { a: 'y' }] }, texts)).toEqual({
      [`w:${key}`]: ['t:x', { 'w:a': 't:y' }],
    })
  }
  expect(mapStrings({ title: 'x', name: 'y' }, texts)).toEqual({
    'w:title': 't:x',
    'w:name': 't:y',
  })
})
