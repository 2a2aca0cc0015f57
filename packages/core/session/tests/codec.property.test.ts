import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  decodeRecordLine,
  decodeStorageRecord,
  isStorageRow,
  packChunkRuns,
  RecordReader,
  serializeEvent,
  serializeRecord,
  type SessionEvent,
} from '../src/index.ts'
import { check } from './property.ts'

const max = Number.MAX_SAFE_INTEGER

/** Any UTF-16, lone surrogates and controls too. */
const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
})

/** JSON as it comes out of a parser: own keys called `__proto__` too, no -0. */
const anyJson = fc
  .jsonValue({ stringUnit: 'binary' })
  .map((value) => JSON.stringify(value))
  .chain((json) =>
    fc.constantFrom(json, `{"__proto__":${json},"constructor":1}`, `[{"__proto__":${json}}]`),
  )
  .map((json) => JSON.parse(json) as unknown)

const small = fc.integer({ min: 0, max: 2 })
const numberLike = fc.oneof(
  { weight: 8, arbitrary: small },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0) },
)

const piece = fc.oneof({ weight: 6, arbitrary: anyText }, { weight: 1, arbitrary: anyJson })
const delta = fc.oneof(
  fc.record({
    type: fc.constantFrom('text-delta', 'reasoning-delta'),
    index: numberLike,
    text: piece,
  }),
  fc.record(
    {
      type: fc.constant('tool-call-delta'),
      index: numberLike,
      id: fc.constantFrom('a', 'b', '__proto__'),
      name: fc.oneof({ weight: 5, arbitrary: fc.constantFrom('bash', '') }, anyJson),
      argumentsDelta: piece,
    },
    { requiredKeys: ['type', 'index', 'id', 'argumentsDelta'] },
  ),
)
const otherChunk = fc.oneof(
  fc.record({ type: fc.constantFrom('block-start', 'block-end', 'usage', 'finish'), index: small }),
  anyJson,
)

/** One change that no row can hold; applied to few of the chunks. */
const hostile = fc.constantFrom<((event: Record<string, unknown>) => unknown) | undefined>(
  ...Array<undefined>(12).fill(undefined),
  (event) => ({ ...event, extra: null }),
  (event) => ({ ...event, sourceEventSeqs: [0] }),
  (event) =>
    JSON.parse(
      JSON.stringify(event).replace('"data":{"turn"', '"data":{"__proto__":{"a":1},"turn"'),
    ) as unknown,
  (event) => ({ ...event, data: { ...(event.data as object), usage: 1 } }),
  (event) => ({
    ...event,
    data: { chunk: (event.data as { chunk?: unknown } | null)?.chunk ?? 0, turn: 1 },
  }),
)

const time = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1_783_352_166_000, max: 1_783_352_167_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, -1, max, -max, max - 1, 1 - max) },
  { weight: 1, arbitrary: fc.maxSafeInteger() },
)

const chunkData = fc.record({
  turn: numberLike,
  step: fc.constant(1),
  chunk: fc.oneof({ weight: 12, arbitrary: delta }, { weight: 1, arbitrary: otherChunk }),
})

/** Runs of one kind are what packs: each drawn event is repeated with other pieces and times. */
const burst = fc
  .record({
    data: fc.oneof({ weight: 8, arbitrary: chunkData }, { weight: 1, arbitrary: anyJson }),
    type: fc.constantFrom('assistant/chunk', 'assistant/chunk', 'assistant/chunk', 'plugin/x'),
    repeats: fc.array(fc.tuple(time, anyText, hostile), { minLength: 1, maxLength: 8 }),
  })
  .map(({ data, type, repeats }) =>
    repeats.map(([at, words, spoil]) => {
      const event = { type, seq: 0, time: at, data: withPiece(data, words) }
      return (spoil === undefined ? event : spoil(event)) as SessionEvent
    }),
  )

function withPiece(data: unknown, words: string): unknown {
  if (typeof data !== 'object' || data === null || !('chunk' in data)) return data
  const { chunk } = data
  if (typeof chunk !== 'object' || chunk === null) return data
  if ('text' in chunk && typeof chunk.text === 'string')
    return { ...data, chunk: { ...chunk, text: words } }
  if ('argumentsDelta' in chunk && typeof chunk.argumentsDelta === 'string') {
    return { ...data, chunk: { ...chunk, argumentsDelta: words } }
  }
  return data
}

const log = fc
  .tuple(fc.array(burst, { maxLength: 8 }), fc.constantFrom(0, 0, 0, 3, max - 100))
  .map(([bursts, first]) => bursts.flat().map((event, at) => ({ ...event, seq: first + at })))

const texts = (events: readonly SessionEvent[]): string[] =>
  events.map((event) => JSON.stringify(event))

describe('the codec', () => {
  test('gives back exactly what was packed, in memory and over text', () => {
    check(
      fc.property(log, (events) => {
        const records = packChunkRuns(events)
        expect(texts(records.flatMap(decodeStorageRecord))).toEqual(texts(events))
        const lines = records.map(serializeRecord)
        const back = lines.flatMap((line) => decodeStorageRecord(JSON.parse(line)))
        expect(texts(back)).toEqual(texts(events))
        expect(packChunkRuns(back).map(serializeRecord)).toEqual(lines)
      }),
      500,
    )
  })

  test('what the generator draws does pack, with every kind of row', () => {
    const seen = new Set<string>()
    for (const events of fc.sample(log, { numRuns: 300, seed: 1 })) {
      for (const record of packChunkRuns(events)) if (isStorageRow(record)) seen.add(record.type)
    }
    expect([...seen].sort()).toEqual(['reasoning-chunks', 'text-chunks', 'tool-call-chunks'])
  })

  test('a batch more or less changes rows, never events', () => {
    check(
      fc.property(log, fc.nat({ max: 60 }), (events, cut) => {
        const batches = [events.slice(0, cut), events.slice(cut)]
        const records = batches.flatMap((batch) => packChunkRuns(batch))
        expect(texts(records.flatMap(decodeStorageRecord))).toEqual(texts(events))
      }),
    )
  })

  test('a row is never more bytes than its events', () => {
    check(
      fc.property(log, (events) => {
        const size = (all: readonly string[]): number => all.join('\n').length
        const packed = packChunkRuns(events).map(serializeRecord)
        expect(size(packed)).toBeLessThanOrEqual(size(events.map(serializeEvent)))
      }),
    )
  })

  test('the reader gives one list of events for every layout', () => {
    const sound = log.map((events) =>
      events.map((event, seq) => ({
        type: 'assistant/chunk',
        seq,
        time: event.time,
        data: event.data,
      })),
    )
    check(
      fc.property(sound, fc.array(fc.boolean(), { maxLength: 20 }), (events, coins) => {
        // Stretches of the log, packed or not as the coins fall.
        const size = Math.ceil(events.length / (coins.length + 1))
        const mixed = [...coins, true].flatMap((packed, at) => {
          const part = events.slice(at * size, (at + 1) * size)
          return (packed ? packChunkRuns(part) : part).map(serializeRecord)
        })
        const reader = new RecordReader()
        expect(texts(mixed.flatMap((line) => [...reader.read(line)]))).toEqual(texts(events))
      }),
    )
  })

  test('any line at all is events or an error that names the line', () => {
    const line = fc.oneof(
      anyText,
      anyJson.map((value) => JSON.stringify(value)),
      fc
        .record({
          type: fc.constantFrom('text-chunks', 'reasoning-chunks', 'tool-call-chunks', 'x'),
          seq0: fc.oneof(small, anyJson),
          time0: fc.oneof(time, anyJson),
          data: fc.oneof(
            fc.record({
              turn: fc.oneof(small, anyJson),
              step: small,
              index: small,
              dt: fc.oneof(fc.array(fc.oneof(time, fc.double())), anyJson),
              texts: fc.oneof(fc.array(piece), anyJson),
            }),
            anyJson,
          ),
        })
        .map((value) => JSON.stringify(value)),
    )
    check(
      fc.property(line, (text) => {
        let events: readonly SessionEvent[]
        try {
          events = decodeRecordLine(text, 7)
        } catch (error) {
          expect((error as Error).message).toMatch(/^invalid session event at line 7: /)
          return
        }
        expect(events.length).toBeGreaterThan(0)
        for (const event of events) {
          expect(Number.isSafeInteger(event.seq) && Number.isSafeInteger(event.time)).toBe(true)
        }
      }),
      500,
    )
  })

  test('strings of 10 MB pass', () => {
    const long = `${'x'.repeat(10_000_000)}\ud800"\n`
    const events = [0, 1, 2].map((seq) => ({
      type: 'assistant/chunk',
      seq,
      time: 0,
      data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text: long } },
    }))
    const lines = packChunkRuns(events).map(serializeRecord)
    expect(lines).toHaveLength(1)
    const back = lines.flatMap((line) => [...decodeRecordLine(line, 2)])
    expect(
      back.every((event) => (event.data as (typeof events)[0]['data']).chunk.text === long),
    ).toBe(true)
    expect(back).toHaveLength(3)
  })
})
