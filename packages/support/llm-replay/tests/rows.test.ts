import { describe, expect, it } from 'vitest'
import { expandRow, isRowTag } from '../src/rows.ts'

const data = { turn: 1, step: 2, index: 3, dt: [5, -2], texts: ['a', '', 'c'] }
const text = { type: 'text-chunks', seq0: 10, time0: 100, data }
const { texts: _texts, ...shared } = data
const tool = {
  ...text,
  type: 'tool-call-chunks',
  data: { ...shared, id: 'call', name: 'bash', args: ['{', '"', '}'] },
}

describe('rows', () => {
  it('knows the three tags and nothing else', () => {
    const tags = ['text-chunks', 'reasoning-chunks', 'tool-call-chunks', 'toString', 'session', 1]
    expect(tags.map(isRowTag)).toEqual([true, true, true, false, false, false])
  })

  it('gives back the events of a text row', () => {
    expect(expandRow(text)).toEqual(
      [
        [10, 100, 'a'],
        [11, 105, ''],
        [12, 103, 'c'],
      ].map(([seq, time, piece]) => ({
        type: 'assistant/chunk',
        seq,
        time,
        data: { turn: 1, step: 2, chunk: { type: 'text-delta', index: 3, text: piece } },
      })),
    )
  })

  it('gives back reasoning and tool calls with key order, id and optional name', () => {
    const chunk = (row: Parameters<typeof expandRow>[0]): string => {
      const data = expandRow(row)[2]?.data as { chunk: unknown }
      return JSON.stringify(data.chunk)
    }
    expect(chunk({ ...text, type: 'reasoning-chunks' })).toBe(
      '{"type":"reasoning-delta","index":3,"text":"c"}',
    )
    expect(chunk(tool)).toBe(
      '{"type":"tool-call-delta","index":3,"id":"call","name":"bash","argumentsDelta":"}"}',
    )
    const { name: _name, ...unnamed } = tool.data
    expect(chunk({ ...tool, data: unnamed })).toBe(
      '{"type":"tool-call-delta","index":3,"id":"call","argumentsDelta":"}"}',
    )
  })

  it.each([
    [{ ...text, seq0: -1 }, 'text-chunks storage row: seq0 is -1'],
    [{ ...text, time0: null }, 'text-chunks storage row: time0 is null'],
    [{ ...text, data: [] }, 'text-chunks storage row: data is []'],
    [{ ...text, data: { ...data, turn: '1' } }, 'text-chunks storage row: turn is "1"'],
    [{ ...text, data: { ...data, step: null } }, 'text-chunks storage row: step is null'],
    [{ ...text, data: { ...data, index: '' } }, 'text-chunks storage row: index is ""'],
    [{ ...tool, data: { ...tool.data, id: 1 } }, 'tool-call-chunks storage row: id is 1'],
    [{ ...tool, data: { ...tool.data, name: 1 } }, 'tool-call-chunks storage row: name is 1'],
    [{ ...text, data: { ...data, texts: 'abc' } }, 'text-chunks storage row: texts is "abc"'],
    [{ ...text, data: { ...data, texts: [] } }, 'text-chunks storage row: texts is []'],
    [{ ...text, data: { ...data, texts: ['a', 1, 'c'] } }, 'row: texts[1] is 1'],
    [{ ...text, data: { ...data, dt: [5, '2'] } }, 'text-chunks storage row: dt[1] is "2"'],
    [{ ...text, data: { ...data, dt: [5] } }, 'row: dt length 1 does not match 3 members'],
    [{ ...text, data: { ...data, dt: 'xy' } }, 'row: dt length 0 does not match 3 members'],
  ])('case R9: refuses a malformed row %#', (row, message) => {
    expect(() => expandRow(row)).toThrow(message)
    expect(() => expandRow(row)).toThrow(/^malformed /)
  })
})
