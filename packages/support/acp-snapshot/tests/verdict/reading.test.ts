import { expect, it } from 'vitest'
import { forReading } from '../../src/verdict/reading.ts'

const read = (file: string, path: string, expected?: unknown, actual?: unknown) => {
  const json = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value))
  return forReading({ file, path, line: 1, expected: json(expected), actual: json(actual) })
}
const LOG = 'session.jsonl'
const STDOUT = 'stdout.expected.jsonl'

it('shows the line of a prompt as text', () => {
  expect(read('system.expected.txt', '', 'say "a"', undefined)).toEqual(['say "a"', undefined])
})

it('leaves values inside an event, and other files, as JSON', () => {
  expect(read(LOG, 'data.x', 'a', { b: 1 })).toEqual(['"a"', '{"b":1}'])
  expect(read('tools.expected.json', '', '  "a": 1', '  "b": 1')).toEqual([
    '"  \\"a\\": 1"',
    '"  \\"b\\": 1"',
  ])
})

it('names the type of a whole event before its data', () => {
  const end = { type: 'turn/end', data: { turn: 1 }, surfaceOp: 'append' }
  expect(read(LOG, '', end, { type: 'x', data: 1 })).toEqual(['turn/end {"turn":1}', 'x 1'])
  const header = { type: 'session', id: 'a', data: 1 }
  expect(read(LOG, '', header, [1])).toEqual([JSON.stringify(header), '[1]'])
  expect(read(LOG, '', { type: 'y' }, undefined)).toEqual(['{"type":"y"}', undefined])
})

it('keeps the JSON where nothing else would differ', () => {
  const a = { type: 'x', data: 1 }
  const b = { ...a, surfaceOp: 'append' }
  expect(read(LOG, '', a, b)).toEqual([JSON.stringify(a), JSON.stringify(b)])
})

it('names what a whole message is before what it holds', () => {
  const update = { sessionUpdate: 'plan', entries: [] }
  const message = { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update } }
  expect(read(STDOUT, '', message, { id: 1, result: { a: 1 } })).toEqual([
    'plan {"entries":[]}',
    'result {"a":1}',
  ])
  const request = { method: 'fs/read', params: { path: 'p' } }
  expect(read(STDOUT, '', { id: 1, error: { code: 2 } }, request)).toEqual([
    'error {"code":2}',
    'fs/read {"path":"p"}',
  ])
  expect(read(STDOUT, '', [1], { method: 'x' })).toEqual(['[1]', 'x null'])
})
