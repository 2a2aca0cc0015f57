import { Context } from '@deepseek-ai/cordis'
import * as agent from 'dsh-agent'
import type { Config } from 'dsh-agent'
import { eventLoopTurn } from 'dsh-brand'
import * as llm from 'dsh-llm'
import { abortedError, LlmError, type ModelStream, type StreamChunk } from 'dsh-llm'
import * as session from 'dsh-session'
import type { SessionEvent } from 'dsh-session'
import * as tools from 'dsh-tools'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { installLlmReplay, type ReportRecord } from '../src/index.ts'
import { answer, logText, readReport, tempFolder } from './helpers/log.ts'

const folder = tempFolder()

/** How one call goes. */
interface Scripted {
  readonly chunks: readonly StreamChunk[]
  /** Thrown after the chunks; `hang` waits for the abort instead. */
  readonly end?: LlmError | Error | 'hang'
}

/** An agent with what it has said, over whatever answers it. */
async function composed(config: Config) {
  const ctx = new Context()
  await ctx.plugin(llm)
  await ctx.plugin(session)
  await ctx.plugin(tools)
  await ctx.plugin(agent, config)
  const start = () => {
    const made = ctx.sessions.create({ cwd: '/w', root: 0 })
    return { made, driven: ctx.agents.create({ session: made }) }
  }
  return { ctx, start }
}

/** Runs prompts until there are no more, cancelling each that hangs. */
async function drive(
  { made, driven }: ReturnType<Awaited<ReturnType<typeof composed>>['start']>,
  prompts: number,
  hanging: () => number,
): Promise<readonly SessionEvent[]> {
  for (let count = 0; count < prompts; count += 1) {
    const before = hanging()
    const running = { over: false }
    const turn = driven.prompt({ content: [{ type: 'text', text: 'go' }] }).finally(() => {
      running.over = true
    })
    while (!running.over) {
      if (hanging() > before) driven.cancel('session/cancel')
      await eventLoopTurn()
    }
    await turn
  }
  return made.events
}

async function record(script: readonly Scripted[], prompts: number, config: Config = {}) {
  const { ctx, start } = await composed(config)
  let calls = 0
  let hangs = 0
  ctx.on('llm/retry-delay', () => Promise.resolve())
  ctx.on('llm/stream', ({ signal }): ModelStream => {
    const { chunks, end } = script[calls++ % script.length] as Scripted
    return (async function* () {
      yield* chunks
      if (end === 'hang') {
        await new Promise<void>((resolve) => {
          signal?.addEventListener('abort', () => resolve())
          hangs += 1
        })
        throw abortedError()
      }
      if (end !== undefined) throw end
    })()
  })
  const begun = start()
  return { header: begun.made.header, events: await drive(begun, prompts, () => hangs) }
}

let runs = 0

async function replay(
  recorded: { readonly header: object; readonly events: readonly SessionEvent[] },
  prompts: number,
  config: Config = {},
) {
  const name = `loop-${runs++}`
  const file = folder.write(`${name}.jsonl`, logText(recorded.header, recorded.events))
  const reportFile = folder.path(`${name}.report.jsonl`)
  const { ctx, start } = await composed(config)
  const dispose = installLlmReplay(ctx, { file, reportFile })
  const reported = (event: ReportRecord['event']) =>
    readReport(reportFile).filter((record) => record.event === event)
  const events = await drive(start(), prompts, () => reported('ready').length)
  dispose()
  return { events, reported }
}

/** What two runs of one agent have in common: all but ids, times and the length of waits. */
const told = (events: readonly SessionEvent[]) =>
  events.map(({ type, seq, data, sourceEventSeqs }) => ({
    type,
    seq,
    data: type === 'llm/retry' ? { ...(data as object), delayMs: 0 } : data,
    sourceEventSeqs,
  }))
const ends = (events: readonly SessionEvent[]) =>
  events.filter(({ type }) => type === 'turn/end').map(({ data }) => data)

const busy: Scripted = {
  chunks: [],
  end: new LlmError('RATE_LIMIT', 'slow down', { status: 429, retryAfterMs: 1_000 }),
}
const ok: Scripted = { chunks: answer('ok') }
const cut: Scripted = {
  chunks: answer('x').slice(0, 2),
  end: new LlmError('STREAM_CLOSED', 'the connection broke'),
}

describe('what a loop logs, replayed to the same loop', () => {
  it.each([
    ['case R11: a 429 and its retry', [busy, ok], 1],
    ['case R3: attempts that all fail', [busy, busy, busy, ok], 2],
    [
      'case R11: a wait that is too long',
      [{ ...busy, end: new LlmError('RATE_LIMIT', 'm', { retryAfterMs: 1e9 }) }, ok],
      2,
    ],
    ['case R12: a cut stream', [cut, ok], 2],
    ['case R12: a cancel in the stream', [{ ...cut, end: 'hang' }, ok], 2],
    ['case R12: a cancel before the first chunk', [{ chunks: [], end: 'hang' }, ok], 2],
    ['case R12: a cancel after the whole answer', [{ chunks: answer('x'), end: 'hang' }, ok], 2],
    ['a failure without a code', [{ chunks: [], end: new Error('plain') }, ok], 2],
    [
      'a stream that breaks after its finish',
      [{ chunks: answer('x'), end: new Error('late') }, ok],
      2,
    ],
  ] as [string, Scripted[], number][])('%s', async (_name, script, prompts) => {
    const recorded = await record(script, prompts)
    const { events, reported } = await replay(recorded, prompts)
    expect(told(events)).toEqual(told(recorded.events))
    expect(reported('refused')).toEqual([])
    expect(reported('left')).toMatchObject([{ left: 0 }])
  })

  it('case R12: a cancel while a retry is waited for', async () => {
    const { ctx, start } = await composed({})
    let waiting = 0
    ctx.on('llm/stream', async function* () {
      yield* []
      throw busy.end
    })
    ctx.on('llm/retry-delay', (_wait, next) => {
      waiting += 1
      return next()
    })
    const begun = start()
    const recorded = {
      header: begun.made.header,
      events: await drive(begun, 1, () => waiting),
    }
    expect(ends(recorded.events)).toMatchObject([{ reason: { kind: 'aborted' } }])
    const { events, reported } = await replay(recorded, 1)
    expect(told(events)).toEqual(told(recorded.events))
    expect(reported('ready')).toMatchObject([{ call: 2 }])
    expect(reported('left')).toMatchObject([{ left: 0 }])
  })

  it('whatever happens', async () => {
    const scripted = fc
      .record({
        prefix: fc.nat(answer('').length),
        end: fc.constantFrom(
          'ok',
          'ok',
          'hang',
          'AUTH',
          'SERVER',
          'STREAM_CLOSED',
          'plain',
          'late',
        ),
        text: fc.string({ maxLength: 3 }),
      })
      .map(({ prefix, end, text }): Scripted => {
        const whole = answer(text)
        if (end === 'ok') return { chunks: whole }
        if (end === 'late') return { chunks: whole, end: new LlmError('SERVER', 'late') }
        const chunks = whole.slice(0, prefix)
        if (end === 'hang') return { chunks, end }
        return { chunks, end: end === 'plain' ? new Error('plain') : new LlmError(end, 'failed') }
      })
    const property = fc.asyncProperty(
      fc.array(scripted, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 4 }),
      async (script, prompts) => {
        const recorded = await record(script, prompts)
        const { events, reported } = await replay(recorded, prompts)
        expect(told(events)).toEqual(told(recorded.events))
        expect(reported('refused')).toEqual([])
        expect(reported('left')).toMatchObject([{ left: 0 }])
      },
    )
    const fromEnv = process.env.FC_SEED
    const seed = fromEnv === undefined ? Date.now() : Number(fromEnv)
    console.log(`random loops: FC_SEED=${seed}`)
    await fc.assert(property, { numRuns: 15, seed })
  })
})

describe('case R3: a loop that retries otherwise than recorded', () => {
  it('is told so where it tries once more than the recording, at its very end', async () => {
    const recorded = await record([busy], 1)
    const { events, reported } = await replay(recorded, 1, { retry: { maxAttempts: 4 } })
    expect(reported('refused')).toMatchObject([{ code: 'UNRECORDED_RETRY', lane: 0, call: 4 }])
    // The refusal itself is not tried again, though an attempt was left.
    expect(ends(events)).toMatchObject([{ reason: { kind: 'error', code: 'UNRECORDED_RETRY' } }])
  })

  it('is told so where the recording goes on to another turn', async () => {
    const recorded = await record([busy, busy, busy, ok], 2)
    const { reported } = await replay(recorded, 1, { retry: { maxAttempts: 4 } })
    expect(reported('refused')).toMatchObject([{ code: 'UNRECORDED_RETRY', lane: 0, call: 4 }])
  })

  it('is told so where it gives up sooner', async () => {
    const recorded = await record([busy, ok, ok], 2)
    const { reported } = await replay(recorded, 2, { retry: { maxAttempts: 1 } })
    expect(reported('refused')).toMatchObject([{ code: 'MISSING_RETRY', lane: 0, call: 2 }])
    expect(reported('left')).toMatchObject([{ left: 2 }])
  })
})
