import { LlmError, type StreamChunk } from 'dsh-llm'
import { describe, expect, it, vi } from 'vitest'
import { ReplayError } from '../src/index.ts'
import { entryChunks, ReplayStream, type ReplayStreamOptions } from '../src/stream.ts'
import { collect, rejection } from './helpers/agent.ts'
import { answer } from './helpers/log.ts'

const chunks = answer('hello')
const prefix = chunks.slice(0, 2)
const never = new AbortController().signal
const end = { done: true, value: undefined }

function open(
  options: Partial<ReplayStreamOptions> & Pick<ReplayStreamOptions, 'entry'>,
): ReplayStream {
  return new ReplayStream({
    chunks: entryChunks(options.entry),
    signal: undefined,
    disposed: never,
    onWaiting: () => {},
    ...options,
  })
}

async function readAll(stream: ReplayStream): Promise<{ got: StreamChunk[]; error: unknown }> {
  const got: StreamChunk[] = []
  const error = await rejection(
    (async () => {
      for await (const chunk of stream) got.push(chunk)
    })(),
  )
  return { got, error }
}

describe('a recorded answer', () => {
  it('case R10: serves the same chunks, then ends for good', async () => {
    const stream = open({ entry: { kind: 'chunks', chunks } })
    for (const chunk of chunks) {
      const result = await stream.next()
      expect(result.value).toBe(chunk)
      expect(result.done).toBe(false)
    }
    expect(await stream.next()).toEqual(end)
    expect(await stream.next()).toEqual(end)
  })

  it('serves what it was given in place of the entry', async () => {
    const stream = open({ entry: { kind: 'chunks', chunks }, chunks: prefix })
    expect(await collect(stream)).toEqual(prefix)
  })

  it('is released by leaving the loop', async () => {
    const stream = open({ entry: { kind: 'chunks', chunks } })
    for await (const chunk of stream) {
      expect(chunk).toBe(chunks[0])
      break
    }
    expect(await stream.next()).toEqual(end)
  })

  it('looks at the abort before each chunk', async () => {
    const abort = new AbortController()
    const stream = open({ entry: { kind: 'chunks', chunks }, signal: abort.signal })
    await stream.next()
    abort.abort()
    const error = await rejection(stream.next())
    expect(error).toBeInstanceOf(LlmError)
    expect(error).toMatchObject({ code: 'aborted', message: 'aborted' })
    expect(await stream.next()).toEqual(end)
  })

  it('stays at its end, whatever is aborted afterwards', async () => {
    const abort = new AbortController()
    const stream = open({ entry: { kind: 'chunks', chunks: [] }, signal: abort.signal })
    expect(await stream.next()).toEqual(end)
    abort.abort()
    expect(await stream.next()).toEqual(end)
  })

  it('takes no more than one turn of the microtask queue per chunk', async () => {
    const stream = open({ entry: { kind: 'chunks', chunks } })
    let settled = false
    const mark = (): void => {
      settled = true
    }
    void stream.next().then(mark)
    await Promise.resolve()
    expect(settled).toBe(true)
  })
})

describe('case R12: a recorded failure', () => {
  it('serves its chunks, then throws what the provider threw', async () => {
    const entry = {
      kind: 'throw',
      chunks: prefix,
      message: 'no key',
      code: 'AUTH',
      status: 401,
    } as const
    const stream = open({ entry })
    const { got, error } = await readAll(stream)
    expect(got).toEqual(prefix)
    expect(error).toBeInstanceOf(LlmError)
    expect(error).toMatchObject({ code: 'AUTH', message: 'no key', status: 401 })
    expect(await stream.next()).toEqual(end)
  })

  it('has no status where none was recorded', async () => {
    const entry = { kind: 'throw', chunks: [], message: 'm', code: 'SERVER' } as const
    const { got, error } = await readAll(open({ entry }))
    expect(got).toEqual([])
    expect(error).toMatchObject({ code: 'SERVER', status: undefined, retryAfterMs: undefined })
  })

  it('case R11: throws with what the provider asked to wait', async () => {
    const told = { code: 'RATE_LIMIT', message: 'slow', status: 429, retryAfterMs: 2_000 }
    const { error } = await readAll(open({ entry: { kind: 'throw', chunks: [], ...told } }))
    expect(error).toBeInstanceOf(LlmError)
    expect(error).toMatchObject(told)
  })

  it('has no code where none was recorded', async () => {
    const { error } = await readAll(open({ entry: { kind: 'throw', chunks: [], message: 'm' } }))
    expect(error).toMatchObject({ message: 'm' })
    expect(error).not.toHaveProperty('code')
  })

  it('gives way to an abort', async () => {
    const entry = { kind: 'throw', chunks: [], message: 'm', code: 'SERVER' } as const
    const { error } = await readAll(open({ entry, signal: AbortSignal.abort() }))
    expect(error).toMatchObject({ code: 'aborted' })
  })
})

describe('case R12: a recorded hang', () => {
  const entry = { kind: 'hang', chunks: prefix } as const
  const start = async (options: Partial<ReplayStreamOptions> = {}) => {
    const onWaiting = vi.fn<() => void>()
    const stream = open({ entry, onWaiting, ...options })
    expect((await stream.next()).value).toBe(prefix[0])
    expect((await stream.next()).value).toBe(prefix[1])
    expect(onWaiting).not.toHaveBeenCalled()
    return { stream, onWaiting }
  }

  it('shows a partial text unless its entry says otherwise', () => {
    expect(entryChunks({ kind: 'hang' })).toEqual([
      { type: 'block-start', index: 0, blockType: 'text' },
      { type: 'text-delta', index: 0, text: 'partial' },
    ])
    expect(entryChunks({ kind: 'hang', chunks: [] })).toEqual([])
  })

  it('says that it waits, once, and waits for the abort', async () => {
    const abort = new AbortController()
    const { stream, onWaiting } = await start({ signal: abort.signal })
    const [first, second] = [stream.next(), stream.next()]
    expect(onWaiting).toHaveBeenCalledTimes(1)
    const seen = vi.fn<() => void>()
    void first.catch(seen)
    await new Promise((resolve) => setImmediate(resolve))
    expect(seen).not.toHaveBeenCalled()
    abort.abort()
    for (const waiting of [first, second]) {
      expect(await rejection(waiting)).toMatchObject({ code: 'aborted' })
    }
    expect(await stream.next()).toEqual(end)
  })

  it('serves its whole prefix and says that it waits even when aborted before', async () => {
    const { stream, onWaiting } = await start({ signal: AbortSignal.abort() })
    expect(await rejection(stream.next())).toMatchObject({ code: 'aborted' })
    expect(onWaiting).toHaveBeenCalledTimes(1)
  })

  it.each([
    ['while it waits', false],
    ['before it waits', true],
  ])('does not outlive the replay, disposed %s', async (_, before) => {
    const disposal = new AbortController()
    const { stream } = await start({ disposed: disposal.signal, signal: never })
    if (before) disposal.abort()
    const waiting = stream.next()
    disposal.abort()
    const error = await rejection(waiting)
    expect(error).toBeInstanceOf(ReplayError)
    expect(error).toMatchObject({
      code: 'REPLAY_DISPOSED',
      message: 'llm-replay: the replay was disposed while a recorded hang waited',
    })
    expect(await stream.next()).toEqual(end)
  })

  it('ends without a signal when the caller leaves', async () => {
    const { stream } = await start()
    const waiting = stream.next()
    expect(await stream.return()).toEqual(end)
    expect(await waiting).toEqual(end)
  })

  it.each(['abort', 'dispose', 'return'])('leaves no listener behind after %s', async (how) => {
    const [abort, disposal] = [new AbortController(), new AbortController()]
    const counts = [abort.signal, disposal.signal].map((signal) => {
      const live = new Set<unknown>()
      const add = signal.addEventListener.bind(signal)
      const remove = signal.removeEventListener.bind(signal)
      signal.addEventListener = (type: string, run: never) => {
        live.add(run)
        add(type, run)
      }
      signal.removeEventListener = (type: string, run: never) => {
        if (type === 'abort') live.delete(run)
        remove(type, run)
      }
      return live
    })
    const { stream } = await start({ signal: abort.signal, disposed: disposal.signal })
    const waiting = stream.next()
    expect(counts.map(({ size }) => size)).toEqual([1, 1])
    if (how === 'abort') abort.abort()
    if (how === 'dispose') disposal.abort()
    if (how === 'return') await stream.return()
    await waiting.catch(() => {})
    expect(counts.map(({ size }) => size)).toEqual([0, 0])
  })

  it('fails when nobody can be told that it waits', async () => {
    const failure = new Error('disk full')
    const { stream } = await start({
      onWaiting: () => {
        throw failure
      },
    }).catch(() => {
      throw new Error('must fail at the wait only')
    })
    expect(await rejection(stream.next())).toBe(failure)
    expect(await stream.next()).toEqual(end)
  })
})
