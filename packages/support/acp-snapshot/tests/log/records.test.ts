import { expect, it } from 'vitest'
import { readRecords } from '../../src/log/records.ts'
import { header, jsonl } from '../temp.ts'

const delta = (chunk: object) => ({ turn: 1, step: 1, chunk })

it('gives the header and events as they are', () => {
  const start = { type: 'turn/start', seq: 0, time: 7, data: {} }
  expect(readRecords(jsonl(header('a'), start), 'f')).toEqual([
    { line: 1, value: header('a') },
    { line: 2, value: start },
  ])
})

it('unfolds rows of text and of reasoning', () => {
  const row = (type: string) => ({
    type,
    seq0: 3,
    time0: 100,
    data: { turn: 1, step: 1, index: 2, dt: [5, -1], texts: ['a', 'b', 'c'] },
  })
  const records = readRecords(jsonl(row('text-chunks')), 'f')
  expect(records.map((record) => JSON.stringify(record.value))).toEqual(
    [
      ['a', 3, 100],
      ['b', 4, 105],
      ['c', 5, 104],
    ].map(([text, seq, time]) =>
      JSON.stringify({
        type: 'assistant/chunk',
        seq,
        time,
        data: delta({ type: 'text-delta', index: 2, text }),
      }),
    ),
  )
  expect(records.map((record) => record.line)).toEqual([1, 1, 1])
  expect(readRecords(jsonl(row('reasoning-chunks')), 'f')[0]?.value).toMatchObject({
    data: delta({ type: 'reasoning-delta', index: 2, text: 'a' }),
  })
})

it('unfolds rows of tool calls, with and without a name', () => {
  const row = (name: object) => ({
    type: 'tool-call-chunks',
    seq0: 0,
    time0: 0,
    data: { turn: 1, step: 1, index: 0, dt: [0], id: 'c', ...name, args: ['{', '}'] },
  })
  const [first, second] = readRecords(jsonl(row({ name: 'bash' }), row({})), 'f').filter(
    (_, index) => index % 2 === 0,
  )
  expect(JSON.stringify(first?.value['data'])).toBe(
    JSON.stringify(
      delta({ type: 'tool-call-delta', index: 0, id: 'c', name: 'bash', argumentsDelta: '{' }),
    ),
  )
  expect(JSON.stringify(second?.value['data'])).toBe(
    JSON.stringify(delta({ type: 'tool-call-delta', index: 0, id: 'c', argumentsDelta: '{' })),
  )
})

it('restores what the projected form omits', () => {
  const text = jsonl(
    header('a'),
    { type: 'turn/start', data: {} },
    { type: 'text-chunks', data: { turn: 1, step: 1, index: 0, dt: [2], texts: ['x', 'y'] } },
    { type: 'user/message', data: {}, surfaceOp: 'append' },
  )
  const values = readRecords(text, 'f').map((record) => record.value)
  expect(values.slice(1).map(({ seq, time }) => [seq, time])).toEqual([
    [0, 0],
    [1, 0],
    [2, 2],
    [3, 0],
  ])
  expect(JSON.stringify(values.at(-1))).toBe(
    '{"type":"user/message","seq":3,"time":0,"data":{},"surfaceOp":"append"}',
  )
})

it.each([
  { turn: 1, dt: [], texts: ['a', 'b'] },
  { turn: 1, dt: [0, 0], texts: ['a', 'b'] },
  { turn: 1, dt: 'x', texts: ['a', 'b'] },
  { turn: 1, dt: [], texts: 'a' },
  'no data',
])('leaves a damaged row as it is: %j', (data) => {
  const row = { type: 'text-chunks', seq0: 0, time0: 0, seq: 1, data }
  expect(readRecords(jsonl(row), 'f')).toEqual([{ line: 1, value: row }])
})

it('keeps values that are no objects', () => {
  expect(readRecords('3\n', 'f')).toEqual([{ line: 1, value: { value: 3 } }])
})

it('names a line that is no JSON', () => {
  expect(() => readRecords('{}\nx\n', 'f')).toThrow('f: line 2 is not JSON')
})
