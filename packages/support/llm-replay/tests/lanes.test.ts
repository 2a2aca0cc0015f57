import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { call, collect, liveSession, rejection } from './helpers/agent.ts'
import { answer, type Call, event, events, sid, steps, tempFolder, textOf } from './helpers/log.ts'
import { scenario } from './helpers/scenario.ts'

const folder = tempFolder()
type Run = Awaited<ReturnType<typeof scenario>>
const say = async (run: Run, session?: string): Promise<string> =>
  textOf(await collect(call(run.ctx, session)))
const refusal = async (run: Run, session?: string): Promise<string> =>
  (await rejection(collect(call(run.ctx, session)))).message

describe('lanes', () => {
  it('case R2: an answer goes to the session that it belongs to, however calls interleave', async () => {
    const run = await scenario(folder, [steps('p1', 'p2', 'p3'), steps('a1', 'a2'), steps('b1')])
    expect(await say(run, 'P')).toBe('p1')
    expect(await say(run, 'A')).toBe('a1')
    expect(await say(run, 'P')).toBe('p2')
    expect(await say(run, 'B')).toBe('b1')
    expect(await say(run, 'A')).toBe('a2')
    expect(await say(run, 'P')).toBe('p3')
    expect(run.reported('bound')).toEqual([
      { event: 'bound', lane: 0, session: 'P', rule: 'primary' },
      { event: 'bound', lane: 1, session: 'A', rule: 'first-call' },
      { event: 'bound', lane: 2, session: 'B', rule: 'first-call' },
    ])
    run.dispose()
    expect(run.reported('left').map(({ left }) => left)).toEqual([0, 0, 0])
  })

  it('case R5: concurrent sessions with the same request get their own answers', async () => {
    const run = await scenario(folder, [steps('p'), steps('a'), steps('b')])
    const streams = ['P', 'A', 'B'].map((session) => call(run.ctx, session))
    const texts = await Promise.all(streams.toReversed().map(async (s) => textOf(await collect(s))))
    expect(texts).toEqual(['b', 'a', 'p'])
  })

  it('any interleaving gives each session its own answers, in order (property)', async () => {
    const scripts = [steps('p1', 'p2', 'p3'), steps('a1', 'a2'), steps('b1', 'b2')]
    const order = fc.shuffledSubarray(
      [0, 0, 1, 1, 2, 2, 0].map((lane, at) => ({ lane, at })),
      {
        minLength: 7,
      },
    )
    await fc.assert(
      fc.asyncProperty(order, async (calls) => {
        const run = await scenario(folder, scripts)
        const firsts = [...new Set(calls.map(({ lane }) => lane))]
        const got = new Map<number, string[]>()
        // The session that calls first is the primary, and so on.
        for (const { lane } of calls) {
          got.set(lane, [...(got.get(lane) ?? []), await say(run, `s${lane}`).catch(() => 'none')])
        }
        for (const [place, lane] of firsts.entries()) {
          const texts = (scripts[place] ?? []).map(({ chunks }) => textOf(chunks))
          const served = got.get(lane) ?? []
          expect(served.filter((text) => text !== 'none')).toEqual(texts.slice(0, served.length))
        }
        run.dispose()
      }),
      { numRuns: 25 },
    )
  })

  it.each([
    ['with one id', ['s', 's', 's']],
    ['without id', [undefined, undefined, undefined]],
  ])('a single log gives entry 1, 2, … N to calls %s', async (_, callers) => {
    const run = await scenario(folder, [steps('1', '2', '3')])
    const texts = []
    for (const caller of callers) texts.push(await say(run, caller))
    expect(texts).toEqual(['1', '2', '3'])
    run.dispose()
    expect(run.reported('left')).toEqual([{ event: 'left', lane: 0, served: 3, left: 0 }])
  })

  it('anonymous calls have their own cursor, whenever they come, and take nothing', async () => {
    const run = await scenario(folder, [steps('1', '2'), steps('c')])
    expect(await say(run)).toBe('1')
    expect(await say(run, 'P')).toBe('1')
    expect(await say(run)).toBe('2')
    expect(await say(run, 'C')).toBe('c')
    expect(await say(run, 'P')).toBe('2')
    expect(await refusal(run)).toContain(
      `llm-replay: script exhausted: a caller without session id makes model call 3, but lane 0 (${run.files[0]}) holds 2 recorded calls`,
    )
  })

  it.each([
    [['P', undefined, undefined], 2],
    [['P', 'P', undefined], 2],
    [['P', undefined], 1],
  ])('leftovers are judged by the further cursor: %j', async (callers, served) => {
    const run = await scenario(folder, [steps('1', '2', '3'), steps('c')])
    for (const caller of callers) await say(run, caller)
    run.dispose()
    expect(run.reported('left')).toEqual([
      { event: 'left', lane: 0, served, left: 3 - served },
      { event: 'left', lane: 1, served: 0, left: 1 },
    ])
  })

  it('a script without calls is never claimed', async () => {
    const run = await scenario(folder, [steps('p'), [], steps('b')])
    expect(await say(run, 'P')).toBe('p')
    expect(await say(run, 'B')).toBe('b')
    expect(run.reported('bound').map(({ lane }) => lane)).toEqual([0, 2])
  })
})

describe('too much', () => {
  it('case R8: exhaustion names lane, call and what was recorded, where it happens', async () => {
    const run = await scenario(folder, [steps('1'), steps('c1', 'c2')])
    await say(run, 'P')
    const message =
      `llm-replay: script exhausted: session P makes model call 2, but lane 0 (${run.files[0]}) ` +
      `holds 1 recorded call, the last in step 1/1. Free: lane 1 (${run.files[1]}): 2 of 2 calls left. ` +
      'If the agent is meant to do this now, record the scenario again.'
    expect(await refusal(run, 'P')).toBe(message)
    expect(run.reported('refused')).toEqual([
      { event: 'refused', code: 'SCRIPT_EXHAUSTED', message, lane: 0, call: 2, session: 'P' },
    ])
    run.dispose()
    expect(run.reported('left')[0]).toEqual({ event: 'left', lane: 0, served: 1, left: 0 })
  })

  it('case R1: a loop that asks for more than was recorded fails at once', async () => {
    const tool = { type: 'finish', reason: { kind: 'tool-calls' } } as const
    const run = await scenario(folder, [[{ chunks: [tool] }]])
    expect(await collect(call(run.ctx, 'P'))).toEqual([tool])
    expect(await refusal(run, 'P')).toContain('makes model call 2')
  })

  it('case R8: an exhausted override has no last step to name', async () => {
    const overrideFile = folder.write('none.json', '[]')
    const run = await scenario(folder, [steps('x')], { overrideFile })
    expect(await refusal(run)).toContain('holds 0 recorded calls. If the agent')
    expect(run.reported('refused')[0]).toMatchObject({ lane: 0, call: 1, session: null })
  })

  it('case R5: an unrecorded session is refused by number, with who has which lane', async () => {
    const run = await scenario(folder, [steps('p'), [], steps('b')])
    const [p, a, b] = run.files
    await say(run, 'P')
    await say(run)
    await say(run, 'B')
    const text = (number: number, session: string): string =>
      `llm-replay: a model call arrived from an unrecorded session (#${number}): expected 2 recorded sessions ` +
      `that call the model, and session ${session} (lineage not known) is none of them. ` +
      `Free: lane 1 (${a}): holds no calls. Used up: lane 0 (${p}): session P; lane 2 (${b}): session B. ` +
      'If the agent is meant to do this now, record the scenario again.'
    expect(await refusal(run, 'C')).toBe(text(3, 'C'))
    expect(await refusal(run, 'D')).toBe(text(4, 'D'))
    const [event, code] = ['refused', 'UNRECORDED_SESSION']
    expect(run.reported('refused')).toEqual([
      { event, code, message: text(3, 'C'), session: 'C' },
      { event, code, message: text(4, 'D'), session: 'D' },
    ])
  })

  it('speaks of one session in the singular', async () => {
    const run = await scenario(folder, [steps('p')])
    await say(run, 'P')
    expect(await refusal(run, 'C')).toContain('expected 1 recorded session that call the model')
  })

  it('calls of another purpose are refused, move no cursor and bind nobody', async () => {
    const run = await scenario(folder, [steps('1', '2')])
    const other = { purpose: 'compaction' }
    expect((await rejection(collect(call(run.ctx, 'X', other)))).message).toContain(
      'llm-replay: session X calls the model for "compaction"',
    )
    expect(textOf(await collect(call(run.ctx, 'P', { purpose: 'turn' })))).toBe('1')
    expect(await say(run, 'P')).toBe('2')
    await rejection(collect(call(run.ctx, 'P', other)))
    await rejection(collect(call(run.ctx, undefined, other)))
    expect(run.reported('bound').map(({ session }) => session)).toEqual(['P'])
    expect(run.reported('refused').map(({ code, lane, session }) => [code, lane, session])).toEqual(
      [
        ['UNRECORDED_PURPOSE', undefined, 'X'],
        ['UNRECORDED_PURPOSE', 0, 'P'],
        ['UNRECORDED_PURPOSE', undefined, null],
      ],
    )
  })
})

describe('case R3: retries', () => {
  const start = (seq: number, step: number, turn = 1) => event(seq, 'step/start', { turn, step })
  const retried: Call[] = [
    { chunks: answer('try') },
    { chunks: answer('again') },
    ...steps('', 'next').slice(1),
  ]

  it('serves attempts that were recorded, whatever the numbers of the live steps', async () => {
    const live = liveSession('P', [start(0, 5, 7)])
    const run = await scenario(folder, [retried], { live: [live] })
    expect(await say(run, 'P')).toBe('try')
    expect(await say(run, 'P')).toBe('again')
    ;(live.events as unknown[]).push(start(1, 6, 7))
    expect(await say(run, 'P')).toBe('next')
  })

  it('refuses a retry that was not recorded, and serves nothing out of turn', async () => {
    const log = [start(0, 1)]
    const run = await scenario(folder, [steps('1', '2')], { live: [liveSession('P', log)] })
    expect(await say(run, 'P')).toBe('1')
    expect(await refusal(run, 'P')).toBe(
      'llm-replay: unrecorded retry: session P calls the model again within step 1/1, but call 2 of ' +
        `lane 0 (${run.files[0]}) was recorded in another step, 1/2. If the agent is meant to do this now, record the scenario again.`,
    )
    expect(run.reported('refused')).toMatchObject([
      { code: 'UNRECORDED_RETRY', lane: 0, call: 2, session: 'P' },
    ])
    run.dispose()
    expect(run.reported('left')).toEqual([{ event: 'left', lane: 0, served: 1, left: 1 }])
  })

  it('names a retry beyond the end of its lane as that, and a further step as exhausted', async () => {
    const log = [start(0, 4)]
    const run = await scenario(folder, [steps('1')], { live: [liveSession('P', log)] })
    await say(run, 'P')
    expect(await refusal(run, 'P')).toBe(
      'llm-replay: unrecorded retry: session P calls the model again within step 1/4, but lane 0 ' +
        `(${run.files[0]}) ends with call 1, the last in step 1/1. If the agent is meant to do this now, record the scenario again.`,
    )
    expect(run.reported('refused')).toMatchObject([
      { code: 'UNRECORDED_RETRY', lane: 0, call: 2, session: 'P' },
    ])
    const further = [start(0, 1)]
    const other = await scenario(folder, [steps('1')], { live: [liveSession('P', further)] })
    await say(other, 'P')
    further.push(start(1, 2))
    expect(await refusal(other, 'P')).toContain('script exhausted')
  })

  it('names a retry beyond the end of a sidecar as that too', async () => {
    const overrideFile = folder.write(
      'one.json',
      JSON.stringify([{ kind: 'chunks', chunks: answer('x') }]),
    )
    const live = [liveSession('P', [start(0, 1)])]
    const run = await scenario(folder, [steps('1', '2')], { live, overrideFile })
    expect(await say(run, 'P')).toBe('x')
    expect(await refusal(run, 'P')).toContain(`lane 0 (${run.files[0]}) ends with call 1. If`)
    expect(run.reported('refused')).toMatchObject([{ code: 'UNRECORDED_RETRY', call: 2 }])
  })

  it('refuses to go on where the recording has a retry', async () => {
    const log = [start(0, 1)]
    const run = await scenario(folder, [retried], { live: [liveSession('P', log)] })
    expect(await say(run, 'P')).toBe('try')
    log.push(start(1, 2))
    expect(await refusal(run, 'P')).toBe(
      `llm-replay: missing retry: session P went on to step 1/2, but call 2 of lane 0 (${run.files[0]}) ` +
        'was recorded as a retry within step 1/1. If the agent is meant to do this now, record the scenario again.',
    )
    expect(run.reported('refused')).toMatchObject([
      { code: 'MISSING_RETRY', lane: 0, call: 2, session: 'P' },
    ])
  })

  it('says nothing where steps are not logged, and "exhausted" where the recording ends', async () => {
    const blind = await scenario(folder, [steps('1', '2')], { live: [liveSession('P')] })
    expect([await say(blind, 'P'), await say(blind, 'P')]).toEqual(['1', '2'])
    expect(await refusal(blind, 'P')).toContain('script exhausted')
  })
})

describe('a resumed session', () => {
  it('keeps its lane and starts after the calls of its log', async () => {
    const before = events(steps('1', '2'))
    const log = [...before, event(10, 'step/start', { turn: 2, step: 1 })]
    const live = [
      liveSession('P', log),
      liveSession('C', [...before], { seedLength: 10, parentSession: sid('P') }),
    ]
    const run = await scenario(folder, [steps('1', '2', '3'), steps('c')], { live })
    expect(await say(run, 'P')).toBe('3')
    expect(await say(run, 'C')).toBe('c')
    expect(run.reported('bound')).toEqual([
      { event: 'bound', lane: 0, session: 'P', rule: 'resumed', after: 2 },
      { event: 'bound', lane: 1, session: 'C', rule: 'first-call' },
    ])
    expect(run.reported('served')[0]).toEqual({ event: 'served', lane: 0, session: 'P', call: 3 })
    log.push(event(11, 'step/start', { turn: 2, step: 2 }))
    expect(await refusal(run, 'P')).toContain(
      'session P makes model call 4, 2 of them before it was resumed, but lane 0',
    )
    run.dispose()
    expect(run.reported('left')[0]).toEqual({ event: 'left', lane: 0, served: 3, left: 0 })
  })

  it('whose log is broken fails, and the report shows what is left', async () => {
    const live = [liveSession('P', [event(0, 'assistant/chunk', {})])]
    const run = await scenario(folder, [steps('1')], { live })
    expect(await refusal(run, 'P')).toContain('the log of session P: malformed assistant/chunk')
    run.dispose()
    expect(run.reported('left')).toEqual([{ event: 'left', lane: 0, served: 0, left: 1 }])
  })
})
