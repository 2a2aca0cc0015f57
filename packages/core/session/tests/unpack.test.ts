import { describe, expect, test } from 'vitest'
import { decodeStorageRecord, SessionError } from '../src/index.ts'
import { errorOf } from './support.ts'

const data = { turn: 1, step: 2, index: 3, dt: [5, -2], texts: ['a', '', 'c'] }
const text = { type: 'text-chunks', seq0: 10, time0: 100, data }
const { texts: _texts, ...shared } = data
const args = ['{', '"', '}']
const tool = {
  ...text,
  type: 'tool-call-chunks',
  data: { ...shared, id: 'call', name: 'bash', args },
}
const unnamed = { ...tool, data: { ...shared, id: 'call', args } }

describe('decodeStorageRecord', () => {
  test('gives back the events of a row, in the key order of the envelope', () => {
    expect(decodeStorageRecord(text).map((event) => JSON.stringify(event))).toEqual([
      '{"type":"assistant/chunk","seq":10,"time":100,"data":{"turn":1,"step":2,"chunk":{"type":"text-delta","index":3,"text":"a"}}}',
      '{"type":"assistant/chunk","seq":11,"time":105,"data":{"turn":1,"step":2,"chunk":{"type":"text-delta","index":3,"text":""}}}',
      '{"type":"assistant/chunk","seq":12,"time":103,"data":{"turn":1,"step":2,"chunk":{"type":"text-delta","index":3,"text":"c"}}}',
    ])
  })

  test.each<[object, string]>([
    [{ ...text, type: 'reasoning-chunks' }, '{"type":"reasoning-delta","index":3,"text":"c"}'],
    [tool, '{"type":"tool-call-delta","index":3,"id":"call","name":"bash","argumentsDelta":"}"}'],
    [unnamed, '{"type":"tool-call-delta","index":3,"id":"call","argumentsDelta":"}"}'],
  ])('gives back every kind of chunk %#', (row, chunk) => {
    const last = decodeStorageRecord(row)[2]?.data as { chunk: unknown }
    expect(JSON.stringify(last.chunk)).toBe(chunk)
  })

  test('freezes the events all the way down', () => {
    for (const row of [text, tool, unnamed]) {
      for (const event of decodeStorageRecord(row)) {
        expect(Object.isFrozen(event)).toBe(true)
        expect(Object.isFrozen(event.data)).toBe(true)
        expect(Object.isFrozen((event.data as { chunk: object }).chunk)).toBe(true)
      }
    }
  })

  test('a row of one is a row', () => {
    const one = { ...text, data: { ...data, dt: [], texts: ['a'] } }
    expect(decodeStorageRecord(one)).toHaveLength(1)
  })

  test('the order of keys does not matter', () => {
    const turned = (value: object): object => Object.fromEntries(Object.entries(value).toReversed())
    expect(decodeStorageRecord(turned({ ...tool, data: turned(tool.data) }))).toEqual(
      decodeStorageRecord(tool),
    )
  })

  test('the ends of what numbers can hold are kept', () => {
    const max = Number.MAX_SAFE_INTEGER
    const row = { ...text, seq0: max - 2, time0: -max, data: { ...data, dt: [max, max] } }
    expect(decodeStorageRecord(row).map(({ seq, time }) => [seq, time])).toEqual([
      [max - 2, -max],
      [max - 1, 0],
      [max, max],
    ])
  })

  test.each([
    { type: 'turn/end', seq: 0, time: 0, data: {} },
    { type: 'text-chunk', data: 1 },
    { type: 'session' },
    { type: ['text-chunks'] },
    {},
    [],
    [text],
    null,
    undefined,
    'text-chunks',
    5,
  ])('passes anything else through as one event: %j', (value) => {
    const events = decodeStorageRecord(value)
    expect(events).toHaveLength(1)
    expect(events[0]).toBe(value)
  })

  const max = Number.MAX_SAFE_INTEGER
  const circle: unknown[] = []
  circle.push(circle)
  test.each<[object, string]>([
    [
      { ...text, extra: 1 },
      'text-chunks storage row: keys are ["type","seq0","time0","data","extra"], expected exactly ["type","seq0","time0","data"]',
    ],
    [{ type: 'text-chunks', seq0: 0, data }, 'keys are ["type","seq0","data"], expected exactly'],
    [{ type: 'text-chunks', seq0: 0, time: 0, data }, 'keys are ["type","seq0","time","data"]'],
    [
      JSON.parse(JSON.stringify(text).replace('{', '{"__proto__":1,')) as object,
      'keys are ["__proto__",',
    ],
    [
      { ...text, seq0: -1 },
      'text-chunks storage row: seq0 is -1, expected a non-negative safe integer',
    ],
    [{ ...text, seq0: -0 }, 'seq0 is -0, expected'],
    [{ ...text, seq0: '1' }, 'seq0 is "1", expected'],
    [{ ...text, seq0: 1n }, 'seq0 is a bigint that is no JSON, expected'],
    [{ ...text, seq0: 2 ** 53 }, 'seq0 is 9007199254740992, expected'],
    [{ ...text, seq0: max - 1 }, `seq0 is ${max - 1}, too large for 3 members`],
    [{ ...text, time0: null }, 'text-chunks storage row: time0 is null, expected a safe integer'],
    [{ ...text, time0: 0.5 }, 'time0 is 0.5, expected a safe integer'],
    [{ ...text, data: [] }, 'text-chunks storage row: data is [], expected an object'],
    [{ ...text, data: null }, 'data is null, expected an object'],
    [{ ...text, data: 'x' }, 'data is "x", expected an object'],
    [
      { ...text, data: { ...data, name: 'x' } },
      'data keys are ["turn","step","index","dt","texts","name"], expected exactly ["turn","step","index","dt","texts"]',
    ],
    [{ ...text, data: { ...shared, args } }, 'data keys are ["turn","step","index","dt","args"]'],
    [
      { ...text, data: { ...shared, text: [] } },
      'data keys are ["turn","step","index","dt","text"]',
    ],
    [
      { ...tool, data: { ...shared, args } },
      'expected exactly ["turn","step","index","dt","id","args"]',
    ],
    [
      { ...tool, data: { ...tool.data, x: 1 } },
      'expected exactly ["turn","step","index","dt","id","name","args"]',
    ],
    [
      { ...text, data: { ...data, turn: '1' } },
      'text-chunks storage row: turn is "1", expected a number',
    ],
    [{ ...text, data: { ...data, step: null } }, 'step is null, expected a number'],
    [{ ...text, data: { ...data, index: NaN } }, 'index is NaN, expected a number'],
    [
      { ...tool, data: { ...tool.data, id: 1 } },
      'tool-call-chunks storage row: id is 1, expected a string',
    ],
    [
      { ...tool, data: { ...tool.data, name: 1 } },
      'tool-call-chunks storage row: name is 1, expected a string',
    ],
    [{ ...tool, data: { ...tool.data, name: undefined } }, 'name is undefined, expected a string'],
    [
      { ...text, data: { ...data, texts: 'abc' } },
      'texts is "abc", expected a list of one or more strings',
    ],
    [
      { ...text, data: { ...data, texts: [] } },
      'texts is [], expected a list of one or more strings',
    ],
    [{ ...text, data: { ...data, texts: ['a', 1, 'c'] } }, 'texts[1] is 1, expected a string'],
    [
      { ...text, data: { ...data, texts: ['a', circle, 'c'] } },
      'texts[1] is a object that is no JSON',
    ],
    [
      { ...tool, data: { ...tool.data, args: [null, 'a', 'b'] } },
      'args[0] is null, expected a string',
    ],
    [{ ...text, data: { ...data, dt: [5, '2'] } }, 'dt[1] is "2", expected a finite number'],
    [
      { ...text, data: { ...data, dt: [Infinity, 2] } },
      'dt[0] is Infinity, expected a finite number',
    ],
    [
      { ...text, data: { ...data, dt: [max, max] } },
      `dt[0] is ${max}, which leads beyond the safe integers`,
    ],
    [
      { ...text, data: { ...data, dt: [-max, -max] } },
      `dt[1] is -${max}, which leads beyond the safe integers`,
    ],
    [
      { ...text, data: { ...data, dt: [5] } },
      'text-chunks storage row: dt length 1 does not match 3 members',
    ],
    [{ ...text, data: { ...data, dt: [1, 2, 3] } }, 'dt length 3 does not match 3 members'],
    [{ ...text, data: { ...data, dt: 'xy' } }, 'dt is "xy", expected a list of numbers'],
  ])('case R9: refuses a malformed row %#', (row, why) => {
    const error = errorOf(() => decodeStorageRecord(row))
    expect(error).toBeInstanceOf(SessionError)
    expect(error).toMatchObject({ code: 'CORRUPT_LOG' })
    expect((error as Error).message).toMatch(
      /^malformed (?:text|reasoning|tool-call)-chunks storage row: /,
    )
    expect((error as Error).message).toContain(why)
  })

  test('cuts what it shows', () => {
    const row = { ...text, data: 'x'.repeat(500) }
    expect(() => decodeStorageRecord(row)).toThrow(
      `data is "${'x'.repeat(199)}…, expected an object`,
    )
  })
})
