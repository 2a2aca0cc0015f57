import { describe, expect, test } from 'vitest'
import { ChunkPacker, packChunkRuns, type SessionEvent, type StorageRecord } from '../src/index.ts'
import { call, chunkEvent, reasoning, run, text } from './chunks.ts'

const tags = (events: readonly SessionEvent[]): string[] =>
  packChunkRuns(events).map((record) => record.type)

/** Three members, the middle one changed. */
function withMiddle(change: (event: SessionEvent) => unknown): SessionEvent[] {
  const events = run(['a', 'b', 'c'].map((piece) => text(piece)))
  return events.map((event, at) => (at === 1 ? (change(event) as SessionEvent) : event))
}

describe('packChunkRuns', () => {
  test('writes a row of text in the key order of the format', () => {
    const events = [
      chunkEvent({ seq: 7, time: 100 }, text('a', 2)),
      chunkEvent({ seq: 8, time: 130 }, text('', 2)),
      chunkEvent({ seq: 9, time: 90 }, text('c', 2)),
    ]
    expect(JSON.stringify(packChunkRuns(events))).toBe(
      '[{"type":"text-chunks","seq0":7,"time0":100,"data":{"turn":1,"step":1,"index":2,"dt":[30,-40],"texts":["a","","c"]}}]',
    )
  })

  test('writes rows of reasoning, and of tool calls with and without a name', () => {
    const events = [
      ...run(['a', 'b', 'c'].map((piece) => reasoning(piece))),
      ...run(
        ['{', '"', '}'].map((piece) => call(piece)),
        3,
      ),
      ...run(
        ['{', '"', '}'].map((piece) => call(piece, {})),
        6,
      ),
    ]
    expect(packChunkRuns(events).map((record) => JSON.stringify(record))).toEqual([
      '{"type":"reasoning-chunks","seq0":0,"time0":100,"data":{"turn":1,"step":1,"index":0,"dt":[1,1],"texts":["a","b","c"]}}',
      '{"type":"tool-call-chunks","seq0":3,"time0":103,"data":{"turn":1,"step":1,"index":0,"dt":[1,1],"id":"c1","name":"bash","args":["{","\\"","}"]}}',
      '{"type":"tool-call-chunks","seq0":6,"time0":106,"data":{"turn":1,"step":1,"index":0,"dt":[1,1],"id":"c1","args":["{","\\"","}"]}}',
    ])
  })

  test('packs three, and keeps one and two as the events that they are', () => {
    const events = run(['a', 'b', 'c'].map((piece) => text(piece)))
    expect(packChunkRuns([])).toEqual([])
    expect(packChunkRuns(events.slice(0, 1))[0]).toBe(events[0])
    expect(packChunkRuns(events.slice(0, 2)).map((each, at) => each === events[at])).toEqual([
      true,
      true,
    ])
    expect(tags(events)).toEqual(['text-chunks'])
  })

  test('does not change what it was given', () => {
    const events = run(['a', 'b', 'c'].map((piece) => text(piece)))
    const before = JSON.stringify(events)
    packChunkRuns(events)
    expect(JSON.stringify(events)).toBe(before)
  })

  test('everything else ends a run and stays as it is, in place', () => {
    const end = chunkEvent({ seq: 3 }, { type: 'block-end', index: 0, block: {} })
    const other = { type: 'plugin/thing', seq: 4, time: 0, data: null, extra: 1 }
    const events = [...run(['a', 'b', 'c'].map((piece) => text(piece))), end, other]
    const more = run(
      ['d', 'e', 'f'].map((piece) => text(piece)),
      5,
    )
    const records = packChunkRuns([...events, ...more])
    expect(records.map((record) => record.type)).toEqual([
      'text-chunks',
      'assistant/chunk',
      'plugin/thing',
      'text-chunks',
    ])
    expect(records[1]).toBe(end)
    expect(records[2]).toBe(other)
    expect(records[3]).toMatchObject({ seq0: 5 })
  })

  test.each<[string, (event: SessionEvent) => unknown]>([
    ['another kind', (event) => ({ ...event, data: { turn: 1, step: 1, chunk: reasoning('b') } })],
    ['another turn', (event) => chunkEvent({ ...event, turn: 2 }, text('b'))],
    ['another step', (event) => chunkEvent({ ...event, step: 2 }, text('b'))],
    ['another block', (event) => chunkEvent(event, text('b', 1))],
    ['a gap in seq', (event) => chunkEvent({ ...event, seq: 5 }, text('b'))],
    ['an extra key of the envelope', (event) => ({ ...event, extra: 1 })],
    [
      'an own key __proto__',
      (event) => JSON.parse(JSON.stringify(event).replace('{', '{"__proto__":{},')),
    ],
    ['another key of the envelope', ({ time: times, ...event }) => ({ ...event, times })],
    ['a seq below 0', (event) => ({ ...event, seq: -1 })],
    ['a seq of -0', (event) => ({ ...event, seq: -0 })],
    ['a seq that is not whole', (event) => ({ ...event, seq: 0.5 })],
    ['a time that is not whole', (event) => ({ ...event, time: 101.5 })],
    ['a time of -0', (event) => ({ ...event, time: -0 })],
    ['a time that is a text', (event) => ({ ...event, time: '101' })],
    ['data that is no object', (event) => ({ ...event, data: 'x' })],
    ['data that is null', (event) => ({ ...event, data: null })],
    ['an extra key of data', (event) => ({ ...event, data: { ...(event.data as object), x: 1 } })],
    [
      'a turn that is a text',
      (event) => ({ ...event, data: { turn: '1', step: 1, chunk: text('b') } }),
    ],
    [
      'a turn that is no number',
      (event) => ({ ...event, data: { turn: NaN, step: 1, chunk: text('b') } }),
    ],
    [
      'a step that is a text',
      (event) => ({ ...event, data: { turn: 1, step: '1', chunk: text('b') } }),
    ],
    ['a chunk that is null', (event) => chunkEvent(event, null as never)],
    ['a chunk that is a text', (event) => chunkEvent(event, 'x' as never)],
    ['a chunk of another type', (event) => chunkEvent(event, { ...text('b'), type: 'x' })],
    ['an extra key of the chunk', (event) => chunkEvent(event, { ...text('b'), x: 1 })],
    ['a missing index', (event) => chunkEvent(event, { type: 'text-delta', text: 'b', x: 1 })],
    ['a text that is a number', (event) => chunkEvent(event, { ...text('b'), text: 1 })],
  ])('does not pack over %s', (_, change) => {
    const events = withMiddle(change)
    const records = packChunkRuns(events)
    expect(records.map((record, at) => record === events[at])).toEqual([true, true, true])
  })

  test.each<[string, object]>([
    ['another id', call('b', { id: 'c2', name: 'bash' })],
    ['another name', call('b', { name: 'edit' })],
    ['no name', call('b', {})],
    ['a name that is a number', call('b', { name: 1 })],
    ['a name of undefined', call('b', { name: undefined })],
    ['an id that is a number', call('b', { id: 1, name: 'bash' })],
    ['arguments that are a number', call(1 as never)],
    ['an extra key', call('b', { name: 'bash', x: 1 })],
  ])('does not pack a tool call over %s', (_, middle) => {
    expect(tags(run([call('a'), middle, call('c')]))).toEqual(Array(3).fill('assistant/chunk'))
  })

  test.each([
    { turn: -0, step: 1, index: 0 },
    { turn: 1, step: -0, index: 0 },
    { turn: 1, step: 1, index: -0 },
    { turn: Infinity, step: 1, index: 0 },
    { turn: 1, step: NaN, index: 0 },
    { turn: 1, step: 1, index: -Infinity },
  ])('numbers that JSON does not have are not packed: %o', ({ turn, step, index }) => {
    const events = [0, 1, 2].map((seq) => chunkEvent({ seq, turn, step }, text('a', index)))
    expect(tags(events)).toEqual(Array(3).fill('assistant/chunk'))
  })

  test('what only a prototype has is not there', () => {
    const inherits = (event: SessionEvent): object =>
      Object.assign(Object.create({ time: event.time }) as object, {
        type: event.type,
        seq: event.seq,
        data: event.data,
        extra: 1,
      })
    const events = run([text('a'), text('b'), text('c')]).map(inherits) as SessionEvent[]
    expect(packChunkRuns(events).map((record, at) => record === events[at])).toEqual([
      true,
      true,
      true,
    ])
  })

  test('a whole run of what does not fit stays as it is', () => {
    expect(tags(run([text('a'), text('b'), text('c')], -3))).not.toContain('text-chunks')
    expect(tags([0, 1, 2].map((seq) => chunkEvent({ seq: seq + 0.5 }, text('a'))))).not.toContain(
      'text-chunks',
    )
    const numbered = call('a', { id: 1, name: 'bash' })
    expect(tags(run([numbered, numbered, numbered]))).not.toContain('tool-call-chunks')
    const extra = { ...text('a'), x: 1 }
    expect(tags(run([extra, extra, extra]))).not.toContain('text-chunks')
  })

  test('the order of keys does not matter to a run', () => {
    const events = [0, 1, 2].map((seq) => ({
      data: { chunk: { text: `${seq}`, index: 0, type: 'text-delta' }, step: 1, turn: 1 },
      time: 0,
      seq,
      type: 'assistant/chunk',
    }))
    expect(tags(events)).toEqual(['text-chunks'])
  })

  test('a new run starts where a gap in time would be rounded', () => {
    const times = [-Number.MAX_SAFE_INTEGER, 0, Number.MAX_SAFE_INTEGER]
    const far = times.map((time, seq) => chunkEvent({ seq, time }, text('a')))
    expect(tags(far)).toEqual(['text-chunks'])
    const farther = [...times.slice(0, 1), 1, 2, 3].map((time, seq) =>
      chunkEvent({ seq, time }, text('a')),
    )
    expect(tags(farther)).toEqual(['assistant/chunk', 'text-chunks'])
  })
})

describe('ChunkPacker', () => {
  test('gives out each record as soon as it is decided, and holds back only the last run', () => {
    const records: StorageRecord[] = []
    const packer = new ChunkPacker((record) => records.push(record))
    const events = run([text('a'), text('b'), text('c'), text('d', 1)])
    for (const event of events.slice(0, 3)) packer.push(event)
    expect(records).toEqual([])
    for (const event of events.slice(3)) packer.push(event)
    expect(records.map((record) => record.type)).toEqual(['text-chunks'])
    packer.end()
    expect(records[1]).toBe(events[3])
    packer.end()
    expect(records).toHaveLength(2)
  })

  test('runs do not join across an end', () => {
    const records: StorageRecord[] = []
    const packer = new ChunkPacker((record) => records.push(record))
    run(['a', 'b', 'c', 'd', 'e', 'f'].map((piece) => text(piece))).forEach((event, at) => {
      if (at === 3) packer.end()
      packer.push(event)
    })
    packer.end()
    expect(records.map((record) => 'seq0' in record && record.seq0)).toEqual([0, 3])
  })
})
