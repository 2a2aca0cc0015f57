import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deriveReplayScript, ReplayError } from '../src/index.ts'
import { answer, event, events, steps } from './helpers/log.ts'
import { check } from './helpers/property.ts'

describe('deriveReplayScript', () => {
  it('makes one entry per (turn, step), and ignores what is no chunk', () => {
    const log = [
      event(0, 'turn/start', { turn: 1 }),
      ...events(steps('a', 'b'), 1),
      event(11, 'tool/call', 'unknown shape'),
      ...events([{ turn: 2, chunks: answer('c') }], 12),
    ]
    expect(deriveReplayScript(log)).toEqual(
      ['a', 'b', 'c'].map((text) => ({ kind: 'chunks', chunks: answer(text) })),
    )
  })

  it('case R3: keeps attempts of one step apart, by their finish', () => {
    const log = events([{ chunks: answer('first try') }, { chunks: answer('second try') }])
    expect(deriveReplayScript(log).map((entry) => entry.chunks)).toEqual([
      answer('first try'),
      answer('second try'),
    ])
  })

  it('case R10: serves the very chunks of the log', () => {
    const log = events(steps('a'))
    const chunks = deriveReplayScript(log)[0]?.chunks ?? []
    expect(chunks).toHaveLength(5)
    for (const [at, chunk] of chunks.entries()) {
      const data = log[at]?.data as { chunk: unknown }
      expect(chunk).toBe(data.chunk)
    }
  })

  it('case R2: leaves the events that a fork inherited to its parent', () => {
    const log = events([...steps('of the parent'), { turn: 2, chunks: answer('own') }])
    expect(deriveReplayScript(log, { seedLength: 5 })).toEqual([
      { kind: 'chunks', chunks: answer('own') },
    ])
    expect(deriveReplayScript(log, { seedLength: 0 })).toHaveLength(2)
    expect(deriveReplayScript(log, {})).toHaveLength(2)
    expect(deriveReplayScript(log, { seedLength: 10 })).toEqual([])
  })

  it.each([
    ['cut by the end of the log', [{ chunks: answer('x').slice(0, 3) }], 2],
    [
      'cut by the next step',
      [{ chunks: answer('x').slice(0, 4) }, { step: 2, chunks: answer('y') }],
      3,
    ],
    [
      'cut by the next turn',
      [{ chunks: answer('x').slice(0, 2) }, { turn: 2, chunks: answer('y') }],
      1,
    ],
  ])('case R12: names the override sidecar for a call %s', (_, calls, seq) => {
    const derive = (): unknown => deriveReplayScript(events(calls), undefined, 'f.jsonl')
    expect(derive).toThrow(ReplayError)
    expect(derive).toThrow(
      `llm-replay: model call 1/1 ended without a finish chunk (f.jsonl, last chunk at seq ${seq}). ` +
        'The log does not say whether the call failed or was cancelled: put a replay.override.json (for session.<n>.jsonl: replay.override.<n>.json) beside it, ' +
        'as {"patches":[{"at":0,"entry":…}]} with a "throw" or a "hang" entry.',
    )
  })

  it.each([
    [undefined, '"data" must be an object, not undefined'],
    [{ step: 1 }, '"turn" must be an integer of 0 or more, not undefined'],
    [{ turn: 1, step: '1' }, '"step" must be an integer of 0 or more, not "1"'],
    [{ turn: 1, step: 1, chunk: 5 }, 'a chunk must be an object, not 5'],
  ])('refuses a chunk event with data %j', (data, problem) => {
    expect(() => deriveReplayScript([event(8, 'assistant/chunk', data)])).toThrow(
      `llm-replay: session log: malformed assistant/chunk at seq 8: ${problem}`,
    )
  })

  it('gives back the calls that made a log, whatever they are (property)', () => {
    const call = fc.record({
      turn: fc.nat(3),
      step: fc.nat(3),
      chunks: fc
        .array(
          fc.record({
            type: fc.constant('text-delta' as const),
            index: fc.nat(2),
            text: fc.string(),
          }),
        )
        .map((deltas) => [...deltas, { type: 'finish', reason: { kind: 'stop' } } as const]),
    })
    check(
      fc.property(fc.array(call), (calls) => {
        expect(deriveReplayScript(events(calls))).toEqual(
          calls.map(({ chunks }) => ({ kind: 'chunks', chunks })),
        )
      }),
    )
  })
})
