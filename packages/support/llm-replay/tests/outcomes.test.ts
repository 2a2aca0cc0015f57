import * as fc from 'fast-check'
import type { StreamChunk } from 'dsh-llm'
import type { SessionEvent } from 'dsh-session'
import { describe, expect, it } from 'vitest'
import { deriveCalls } from '../src/derive.ts'
import { deriveReplayScript, type ReplayEntry } from '../src/index.ts'
import { entryChunks, ReplayStream } from '../src/stream.ts'
import { answer, event } from './helpers/log.ts'

const place = { turn: 1, step: 1 }
const failed = (data: object = {}) => ({ ...place, kind: 'error', message: 'm', ...data })
const aborted = { ...place, kind: 'aborted', message: 'aborted' }
const prefix = answer('x').slice(0, 2)
const log = (...of: readonly (readonly [type: string, data: unknown])[]): SessionEvent[] =>
  of.map(([type, data], seq) => event(seq, type, data))
const chunksOf = (chunks: readonly StreamChunk[], at = place) =>
  chunks.map((chunk) => ['assistant/chunk', { ...at, chunk }] as const)

describe('a recorded failure', () => {
  it('case R12: is a throw after the chunks that came', () => {
    const failure = failed({ code: 'STREAM_CLOSED' })
    expect(deriveReplayScript(log(...chunksOf(prefix), ['llm/failure', failure]))).toEqual([
      { kind: 'throw', chunks: prefix, message: 'm', code: 'STREAM_CLOSED' },
    ])
  })

  it('case R11: keeps status and Retry-After', () => {
    const told = { code: 'RATE_LIMIT', status: 429, retryAfterMs: 2_000 }
    expect(deriveReplayScript(log(['llm/failure', failed(told)]))).toEqual([
      { kind: 'throw', chunks: [], message: 'm', ...told },
    ])
  })

  it('has no code where it had none', () => {
    const [entry] = deriveReplayScript(log(['llm/failure', failed()]))
    expect(entry).toEqual({ kind: 'throw', chunks: [], message: 'm' })
    expect(entry).not.toHaveProperty('code')
  })

  it('case R12: of an aborted call is a hang with just the chunks that came, be they none', () => {
    expect(
      deriveReplayScript(
        log(
          ...chunksOf(prefix),
          ['llm/failure', aborted],
          ['llm/failure', { ...aborted, step: 2 }],
        ),
      ),
    ).toEqual([
      { kind: 'hang', chunks: prefix },
      { kind: 'hang', chunks: [] },
    ])
  })

  it('case R3: without chunks is a call of its own, as is every attempt of a step', () => {
    const answered = answer('ok')
    expect(
      deriveReplayScript(
        log(
          ['llm/failure', failed({ code: 'A' })],
          ['llm/retry', { ...place, retry: 1 }],
          ['llm/failure', failed({ code: 'B' })],
          ['llm/retry', { ...place, retry: 2 }],
          ...chunksOf(answered),
        ),
      ),
    ).toEqual([
      { kind: 'throw', chunks: [], message: 'm', code: 'A' },
      { kind: 'throw', chunks: [], message: 'm', code: 'B' },
      { kind: 'chunks', chunks: answered },
    ])
  })

  it('after a finish belongs to that call, unless a retry stands between', () => {
    const whole = answer('ok')
    expect(deriveReplayScript(log(...chunksOf(whole), ['llm/failure', failed()]))).toEqual([
      { kind: 'throw', chunks: whole, message: 'm' },
    ])
    expect(
      deriveReplayScript(log(...chunksOf(whole), ['llm/retry', place], ['llm/failure', failed()])),
    ).toEqual([
      { kind: 'chunks', chunks: whole },
      { kind: 'throw', chunks: [], message: 'm' },
    ])
    const next = failed({ step: 2 })
    expect(deriveReplayScript(log(...chunksOf(whole), ['llm/failure', next]))).toEqual([
      { kind: 'chunks', chunks: whole },
      { kind: 'throw', chunks: [], message: 'm' },
    ])
  })

  it.each([
    ['another turn', { turn: 2 }],
    ['another step', { step: 2 }],
  ])('of %s does not end a call that is open', (_, other) => {
    expect(() =>
      deriveReplayScript(log(...chunksOf(prefix), ['llm/failure', failed(other)])),
    ).toThrow('model call 1/1 ended without a finish chunk (session log, last chunk at seq 1)')
  })

  it('case R2: in the events that a fork inherited is its parent’s', () => {
    const events = log(['llm/failure', failed()], ...chunksOf(answer('own'), { turn: 2, step: 1 }))
    expect(deriveReplayScript(events, { seedLength: 1 })).toEqual([
      { kind: 'chunks', chunks: answer('own') },
    ])
  })

  it.each([
    ['text', '"data" must be an object, not "text"'],
    [{ ...aborted, turn: -1 }, '"turn" must be an integer of 0 or more, not -1'],
    [{ ...aborted, step: '1' }, '"step" must be an integer of 0 or more, not "1"'],
    [{ ...aborted, kind: 'odd' }, '"kind" must be "error" or "aborted", not "odd"'],
    [{ ...place, kind: 'error' }, '"message" must be a string, not undefined'],
    [failed({ code: 7 }), '"code" must be a string, not 7'],
    [failed({ status: '429' }), '"status" must be an integer of 0 or more, not "429"'],
    [failed({ retryAfterMs: 1.5 }), '"retryAfterMs" must be an integer of 0 or more, not 1.5'],
  ])('case R9: that cannot be read is an error (%j)', (data, problem) => {
    expect(() => deriveReplayScript(log(['llm/failure', data]))).toThrow(
      `llm-replay: session log: malformed llm/failure at seq 0: ${problem}`,
    )
  })
})

describe('an attempt of which the log holds its chunks alone', () => {
  const usage = answer('x').slice(3, 4)
  const whole = answer('ok')
  const [first, second] = [chunksOf(usage), chunksOf(whole)]
  const answered = (sourceEventSeqs?: readonly number[]) =>
    event(20, 'assistant/message', place, sourceEventSeqs && { sourceEventSeqs })

  it('case R3: is a call of its own, since the answer does not name its chunks', () => {
    const events = [...log(...first, ...second), answered([1, 2, 3, 4, 5])]
    expect(() => deriveReplayScript(events)).toThrow(
      'model call 1/1 ended without a finish chunk (session log, last chunk at seq 0)',
    )
    const entry: ReplayEntry = { kind: 'throw', chunks: usage, message: 'm', code: 'SERVER' }
    const patched = (calls: number) => {
      expect(calls).toBe(2)
      return new Map([[0, entry]])
    }
    expect(deriveCalls(events, 'log', { patched })).toEqual([
      { position: place, entry },
      { position: place, entry: { kind: 'chunks', chunks: whole } },
    ])
  })

  it.each([
    ['all of them', [0, 1, 2, 3, 4, 5]],
    ['others', [9]],
    ['those behind its own', [2, 3, 4, 5, 6]],
    ['its own and not the last', [1, 2, 3, 4]],
    ['no chunk', []],
    ['none', undefined],
  ])('is none where the answer names %s', (_, sources) => {
    const events = [...log(...first, ...second), answered(sources)]
    expect(deriveReplayScript(events)).toEqual([{ kind: 'chunks', chunks: [...usage, ...whole] }])
  })

  it('does not take a failure from the call behind it', () => {
    const failure = event(21, 'llm/failure', failed())
    const patched = () => new Map([[0, { kind: 'hang' } as const]])
    const events = [...log(...first, ...second), answered([1, 2, 3, 4, 5]), failure]
    expect(deriveCalls(events, 'log', { patched }).map(({ entry }) => entry)).toEqual([
      { kind: 'hang' },
      { kind: 'throw', chunks: whole, message: 'm' },
    ])
  })

  it('is looked for in no log that has an answer alone', () => {
    expect(deriveReplayScript([answered([1])])).toEqual([])
  })
})

it('case R9: the file, the line and what to do are told where they are known', () => {
  const [broken] = log(['llm/failure', null])
  const lines = new Map([[broken as SessionEvent, 7]])
  expect(() => deriveCalls([broken as SessionEvent], 'a/session.jsonl', { lines })).toThrow(
    'llm-replay: a/session.jsonl:7: malformed llm/failure at seq 0: "data" must be an object, not null; ' +
      'record the scenario again, or correct the event',
  )
})

/** Calls as a loop logs them, and what each must be served as. */
const call = fc
  .record({
    prefix: fc.nat(4),
    end: fc.constantFrom('finish', 'error', 'aborted', 'late'),
    text: fc.string({ maxLength: 3 }),
    code: fc.option(fc.constantFrom('SERVER', 'RATE_LIMIT'), { nil: undefined }),
    retry: fc.boolean(),
  })
  .map(({ prefix: count, end, text, code, retry }) => {
    const whole = answer(text)
    const chunks = end === 'finish' || end === 'late' ? whole : whole.slice(0, count)
    const data = failed(code === undefined ? {} : { code })
    const entry: ReplayEntry =
      end === 'finish'
        ? { kind: 'chunks', chunks }
        : end === 'aborted'
          ? { kind: 'hang', chunks }
          : { kind: 'throw', chunks, message: 'm', ...(code === undefined ? {} : { code }) }
    return {
      chunks,
      failure: { finish: undefined, error: data, aborted, late: data }[end],
      entry,
      retry,
    }
  })

async function served(entry: ReplayEntry): Promise<unknown> {
  const disposed = new AbortController()
  const stream = new ReplayStream({
    entry,
    chunks: entryChunks(entry),
    signal: undefined,
    disposed: disposed.signal,
    onWaiting: () => disposed.abort(),
  })
  const chunks: StreamChunk[] = []
  try {
    for await (const chunk of stream) chunks.push(chunk)
    return { chunks, end: 'finish' }
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    return { chunks, end: message, code }
  }
}

it('random calls, attempts and outcomes come back with their chunks and ends', async () => {
  const property = fc.asyncProperty(fc.array(call, { maxLength: 8 }), async (calls) => {
    let step = 1
    const records: [string, unknown][] = []
    for (const { chunks, failure, retry } of calls) {
      const at = { turn: 1, step }
      records.push(...chunksOf(chunks, at).map(([type, data]): [string, unknown] => [type, data]))
      if (failure !== undefined) records.push(['llm/failure', { ...failure, ...at }])
      if (retry) records.push(['llm/retry', at])
      else step += 1
    }
    const script = deriveReplayScript(log(...records))
    expect(script).toEqual(calls.map(({ entry }) => entry))
    const results = await Promise.all(script.map(served))
    expect(results).toEqual(
      calls.map(({ entry, chunks }) =>
        entry.kind === 'chunks'
          ? { chunks, end: 'finish' }
          : entry.kind === 'hang'
            ? {
                chunks,
                end: 'llm-replay: the replay was disposed while a recorded hang waited',
                code: 'REPLAY_DISPOSED',
              }
            : { chunks, end: 'm', code: entry.code },
      ),
    )
  })
  const fromEnv = process.env.FC_SEED
  const seed = fromEnv === undefined ? Date.now() : Number(fromEnv)
  console.log(`random outcomes: FC_SEED=${seed}`)
  await fc.assert(property, { numRuns: 200, seed })
})
