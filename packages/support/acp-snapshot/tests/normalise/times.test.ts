import { expect, it } from 'vitest'
import { zeroEnvelope, zeroTimes } from '../../src/normalise/times.ts'

it('zeroes durations and points in time at any depth', () => {
  const now = 1783352166075
  const value = {
    durationMs: 1.5,
    duration: 2,
    elapsedMs: 3,
    elapsed: 4,
    list: [{ startedAt: now, timestamp: now, time: now, createdAt: 1e12 }],
  }
  expect(zeroTimes(value)).toEqual({
    durationMs: 0,
    duration: 0,
    elapsedMs: 0,
    elapsed: 0,
    list: [{ startedAt: 0, timestamp: 0, time: 0, createdAt: 0 }],
  })
})

it.each([
  { durationMs: '5' },
  { timeoutMs: 5, retryAfterMs: 3, delayMs: 7 },
  { startedAt: 1e12 - 1, time: 12, timestamp: 4 },
  { at: 1783352166075, format: 1783352166075, uptime: 1783352166075, timestamps: 1783352166075 },
  { xtimestamp: 1783352166075, runtime: 1783352166075 },
  { rawInput: { durationMs: 5 }, arguments: { durationMs: 5 } },
  [1783352166075],
])('leaves %j', (value) => {
  expect(zeroTimes(value)).toEqual(value)
})

it('zeroes an envelope and keeps the order of its keys', () => {
  const event = { type: 'x', seq: 3, time: 9, data: { a: 1, durationMs: 4 }, surfaceOp: 'append' }
  expect(JSON.stringify(zeroEnvelope(event))).toBe(
    '{"type":"x","seq":3,"time":0,"data":{"a":1,"durationMs":0},"surfaceOp":"append"}',
  )
})

it('zeroes the wait before a retry, and leaves what the provider asked for', () => {
  const retry = (type: string, data: unknown) => zeroEnvelope({ type, seq: 1, time: 2, data })
  expect(retry('llm/retry', { turn: 1, retry: 1, delayMs: 412 })).toEqual({
    type: 'llm/retry',
    seq: 1,
    time: 0,
    data: { turn: 1, retry: 1, delayMs: 0 },
  })
  for (const data of [null, { turn: 1 }, { delayMs: 'long' }]) {
    expect(retry('llm/retry', data)).toMatchObject({ data })
  }
  const failure = { retryAfterMs: 2_000, delayMs: 3 }
  expect(retry('llm/failure', failure)).toMatchObject({ data: failure })
})

it.each(['text-chunks', 'reasoning-chunks', 'tool-call-chunks'])(
  'zeroes the gaps of %s',
  (type) => {
    const row = { type, seq0: 3, time0: 9, data: { index: 0, dt: [1, -2, 0], texts: [] } }
    expect(JSON.stringify(zeroEnvelope(row))).toBe(
      `{"type":"${type}","seq0":3,"time0":0,"data":{"index":0,"dt":[0,0,0],"texts":[]}}`,
    )
  },
)

it.each([
  { type: 'text-chunks', data: { dt: 'x' } },
  { type: 'text-chunks', data: 3 },
  { type: 'other', data: { dt: [1] } },
  { type: 'turn/start' },
])('adds nothing to %j and leaves what is no gap', (line) => {
  expect(zeroEnvelope(line)).toStrictEqual(line)
  expect(JSON.stringify(zeroEnvelope(line))).toBe(JSON.stringify(line))
})
