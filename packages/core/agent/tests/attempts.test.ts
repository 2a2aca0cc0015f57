import type { Clock } from 'dsh-brand'
import { abortedError, LlmError, type StreamChunk } from 'dsh-llm'
import { describe, expect, it } from 'vitest'
import type { Config } from '../src/index.ts'
import { type Answer, rig, type Rig, say, text } from './harness.ts'

const CODE_429 = { status: 429, retryAfterMs: 2_000 }

/** A stream that gives these chunks and then throws. */
function failing(error: unknown, chunks: readonly StreamChunk[] = []): Answer {
  return async function* () {
    yield* chunks
    throw error
  }
}

const rateLimited = failing(new LlmError('RATE_LIMIT', 'slow down', CODE_429))
const partial: StreamChunk = { type: 'text-delta', index: 0, text: 'par' }

/** Timers fire when they are told to; the waits that were asked for are kept. */
function manualClock() {
  const waits: number[] = []
  const due: (() => void)[] = []
  const clock: Clock = {
    now: () => 0,
    monotonic: () => 0,
    after(ms, run) {
      waits.push(ms)
      due.push(run)
      return () => undefined
    },
  }
  return { clock, waits, fire: () => due.shift()?.() }
}

async function retrying(answers: readonly Answer[], config: Config = {}) {
  const timers = manualClock()
  const r = await rig(answers, { config, clock: timers.clock, random: { fraction: () => 0.5 } })
  return { r, ...timers }
}

/** Lets the turn run until it waits. */
async function waiting(waits: readonly number[], count: number): Promise<void> {
  while (waits.length < count) await Promise.resolve()
}

const outcomes = (r: Rig) =>
  r.session.events
    .filter(({ type }) => /^(?:llm|assistant|step)\//.test(type))
    .map(({ type, data }) => [type, data])
const place = { turn: 1, step: 1 }

describe('a failed call', () => {
  it('case R11: is logged with status and Retry-After, in the order of the format', async () => {
    const r = await rig([failing(new LlmError('AUTH', 'no key', CODE_429), [partial])])
    await r.agent.prompt(say('x'))
    expect(JSON.stringify(r.data('llm/failure'))).toBe(
      '[{"turn":1,"step":1,"kind":"error","message":"no key","code":"AUTH","status":429,"retryAfterMs":2000}]',
    )
    expect(r.events('llm/failure')[0]).not.toHaveProperty('surfaceOp')
    expect(r.types().slice(-4)).toEqual(['assistant/chunk', 'llm/failure', 'step/end', 'turn/end'])
  })

  it('is not logged where an error is its finish: the chunk says it', async () => {
    const finish: StreamChunk = { type: 'finish', reason: { kind: 'error', message: 'bad' } }
    const r = await rig([[partial, finish]])
    await expect(r.agent.prompt(say('x'))).resolves.toMatchObject({
      reason: { kind: 'error', message: 'bad' },
    })
    expect(r.types()).not.toContain('llm/failure')
  })

  it('is logged too where the stream breaks after its finish', async () => {
    const r = await rig([failing(new Error('late'), text('done'))])
    await expect(r.agent.prompt(say('x'))).resolves.toMatchObject({
      reason: { kind: 'error', message: 'late' },
    })
    expect(r.data('llm/failure')).toEqual([{ ...place, kind: 'error', message: 'late' }])
  })

  it('is logged when what it brought cannot be', async () => {
    const r = await rig([[{ type: 'text-delta', index: 0, text: undefined } as never]])
    await r.agent.prompt(say('x'))
    expect(r.data('llm/failure')).toMatchObject([{ kind: 'error', code: 'INVALID_EVENT' }])
  })

  it('leaves nothing behind with logOutcomes: false', async () => {
    const { r, fire, waits } = await retrying([rateLimited, failing(new Error('x'))], {
      logOutcomes: false,
    })
    const turn = r.agent.prompt(say('x'))
    await waiting(waits, 1)
    fire()
    await turn
    expect(r.types()).toEqual([
      'turn/start',
      'user/message',
      'step/start',
      'request/header',
      'step/end',
      'turn/end',
    ])
  })
})

describe('an aborted call', () => {
  it('case R12: is logged in our own words, with the chunks before it', async () => {
    const r = await rig([
      async function* ({ signal }) {
        yield partial
        r.agent.cancel('session/cancel')
        if (signal?.aborted === true) throw new Error('The operation was aborted by fetch')
      },
    ])
    await expect(r.agent.prompt(say('x'))).resolves.toEqual({
      turn: 1,
      reason: { kind: 'aborted', reason: 'session/cancel' },
    })
    expect(outcomes(r)).toEqual([
      ['step/start', place],
      ['assistant/chunk', { ...place, chunk: partial }],
      ['llm/failure', { ...place, kind: 'aborted', message: 'aborted' }],
      ['step/end', place],
    ])
  })

  it('is logged where the stream just ends on abort', async () => {
    const r = await rig([
      async function* () {
        yield partial
        r.agent.cancel('stop')
      },
    ])
    await r.agent.prompt(say('x'))
    expect(r.data('llm/failure')).toEqual([{ ...place, kind: 'aborted', message: 'aborted' }])
  })

  it.each([
    ['ends', text('all')],
    ['throws', text('all')],
  ])('case R12: is logged after a whole answer, where the stream then %s', async (how, chunks) => {
    const r = await rig([
      async function* () {
        yield* chunks
        r.agent.cancel('stop')
        if (how === 'throws') throw abortedError()
      },
    ])
    await expect(r.agent.prompt(say('x'))).resolves.toMatchObject({ reason: { kind: 'aborted' } })
    expect(r.data('llm/failure')).toEqual([{ ...place, kind: 'aborted', message: 'aborted' }])
    expect(r.types()).not.toContain('assistant/message')
  })

  it('leaves nothing behind with logOutcomes: false', async () => {
    const r = await rig(
      [
        async function* () {
          yield partial
          r.agent.cancel('stop')
        },
      ],
      { config: { logOutcomes: false } },
    )
    await r.agent.prompt(say('x'))
    expect(r.types()).not.toContain('llm/failure')
  })
})

describe('a retry', () => {
  it('case R3: is a call of its own in the same step; its sources are its own chunks', async () => {
    const { r, waits, fire } = await retrying([rateLimited, text('ok')])
    const turn = r.agent.prompt(say('x'))
    await waiting(waits, 1)
    expect(r.requests).toHaveLength(1)
    fire()
    await expect(turn).resolves.toMatchObject({ reason: { kind: 'completed' } })
    expect(waits).toEqual([2_000])
    const { messages, signal: _signal, ...request } = r.requests[1] ?? { messages: [] }
    expect(messages).toEqual(r.requests[0]?.messages)
    expect(request).toMatchObject({ sessionId: r.session.id })
    expect(outcomes(r).map(([type]) => type)).toEqual([
      'step/start',
      'llm/failure',
      'llm/retry',
      'assistant/chunk',
      'assistant/chunk',
      'assistant/message',
      'step/end',
    ])
    expect(JSON.stringify(r.data('llm/retry'))).toBe(
      '[{"turn":1,"step":1,"retry":1,"maxRetries":2,"delayMs":2000}]',
    )
    const seqs = r.events('assistant/chunk').map(({ seq }) => seq)
    expect(r.events('assistant/message')[0]?.sourceEventSeqs).toEqual(seqs)
  })

  it('waits a random part of a growing bound, and gives up after the last attempt', async () => {
    const failed = failing(new LlmError('SERVER', 'overloaded', { status: 503 }))
    const { r, waits, fire } = await retrying([failed, failed, failed])
    const turn = r.agent.prompt(say('x'))
    for (const count of [1, 2]) {
      await waiting(waits, count)
      fire()
    }
    await expect(turn).resolves.toEqual({
      turn: 1,
      reason: {
        kind: 'error',
        step: 1,
        message: 'overloaded (gave up after 3 attempts)',
        code: 'SERVER',
      },
    })
    expect(waits).toEqual([250, 500])
    expect(r.data('llm/failure')).toHaveLength(3)
    expect(r.data('llm/retry')).toMatchObject([{ retry: 1 }, { retry: 2 }])
    expect(r.requests).toHaveLength(3)
  })

  it('follows an empty answer too, which is an error in its finish', async () => {
    const reason = { kind: 'error', message: 'empty', code: 'EMPTY_RESPONSE' } as const
    const usage: StreamChunk = { type: 'usage', usage: { inputTokens: 1, outputTokens: 0 } }
    const { r, waits, fire } = await retrying([[usage, { type: 'finish', reason }], text('ok')])
    const turn = r.agent.prompt(say('x'))
    await waiting(waits, 1)
    fire()
    await expect(turn).resolves.toMatchObject({ reason: { kind: 'completed' } })
    expect(r.types()).not.toContain('llm/failure')
    expect(r.data('llm/retry')).toHaveLength(1)
    expect(r.events('assistant/message')[0]?.sourceEventSeqs).toEqual(
      r
        .events('assistant/chunk')
        .slice(2)
        .map(({ seq }) => seq),
    )
  })

  it('does not follow an answer that has begun', async () => {
    const { r, waits } = await retrying([failing(new LlmError('SERVER', 'broke'), [partial])])
    await expect(r.agent.prompt(say('x'))).resolves.toMatchObject({
      reason: { kind: 'error', message: 'broke' },
    })
    expect(waits).toEqual([])
    expect(r.types()).not.toContain('llm/retry')
  })

  it('is called off by a cancel; the attempt that was due counts as aborted', async () => {
    const { r, waits } = await retrying([rateLimited, text('never')])
    const turn = r.agent.prompt(say('x'))
    await waiting(waits, 1)
    r.agent.cancel('session/cancel')
    await expect(turn).resolves.toMatchObject({ reason: { kind: 'aborted' } })
    expect(r.requests).toHaveLength(1)
    expect(outcomes(r).map(([type]) => type)).toEqual([
      'step/start',
      'llm/failure',
      'llm/retry',
      'llm/failure',
      'step/end',
    ])
    expect(r.data('llm/failure')[1]).toEqual({ ...place, kind: 'aborted', message: 'aborted' })
  })

  it('waits as a listener says', async () => {
    const { r, waits } = await retrying([rateLimited, text('ok')])
    const asked: unknown[] = []
    r.ctx.on('llm/retry-delay', async (wait) => void asked.push(wait))
    await expect(r.agent.prompt(say('x'))).resolves.toMatchObject({ reason: { kind: 'completed' } })
    expect(asked).toEqual([
      { delayMs: 2_000, signal: expect.any(AbortSignal), sessionId: r.session.id },
    ])
    expect(waits).toEqual([])
  })

  it('ends the turn in order when a listener fails', async () => {
    const { r } = await retrying([rateLimited])
    r.ctx.on('llm/retry-delay', () => Promise.reject(new Error('no wait')))
    await expect(r.agent.prompt(say('x'))).resolves.toMatchObject({
      reason: { kind: 'error', message: 'no wait' },
    })
    expect(r.types().slice(-3)).toEqual(['llm/retry', 'step/end', 'turn/end'])
  })
})
