import { describe, expect, it } from 'vitest'
import type { ReplayError } from '../src/index.ts'
import { Poison } from '../src/poison.ts'
import { call, collect, liveSession, rejection } from './helpers/agent.ts'
import { answer, event, steps, tempFolder, textOf } from './helpers/log.ts'
import { scenario } from './helpers/scenario.ts'

const folder = tempFolder()
type Run = Awaited<ReturnType<typeof scenario>>
const say = async (run: Run, session?: string): Promise<string> =>
  textOf(await collect(call(run.ctx, session)))
const refusal = async (run: Run, session?: string, more = {}): Promise<ReplayError> =>
  (await rejection(collect(call(run.ctx, session, more)))) as ReplayError

describe('what was refused first', () => {
  it('is kept for its lane, whoever is in it, and for no other', () => {
    const poison = new Poison()
    poison.note('SCRIPT_EXHAUSTED', 'first', { lane: 1, session: 's' })
    poison.note('TOOL_REFUSED', 'second', { lane: 1, session: 's' })
    expect(poison.find({ lane: 1, session: 's' })).toBe('first')
    expect(poison.find({ lane: 1, session: undefined })).toBe('first')
    expect(poison.find({ lane: 0, session: 's' })).toBeUndefined()
    expect(poison.find({ session: 's' })).toBeUndefined()
  })

  it('is kept for a session that has no lane, and goes with it to the one that it gets', () => {
    const poison = new Poison()
    poison.note('UNRECORDED_PURPOSE', 'first', { session: undefined })
    poison.note('UNRECORDED_SESSION', 'second', { session: undefined })
    expect(poison.find({ session: undefined })).toBe('first')
    expect(poison.find({ lane: 0, session: undefined })).toBe('first')
    expect(poison.find({ lane: 0, session: 's' })).toBeUndefined()
  })

  it('does not touch a lane for one that comes second to it', () => {
    const poison = new Poison()
    poison.note('LANE_TAKEN', 'taken', { lane: 1, session: 'second' })
    expect(poison.find({ session: 'second' })).toBe('taken')
    expect(poison.find({ lane: 1, session: 'first' })).toBeUndefined()
  })
})

describe('case R7: an agent that swallows a refusal', () => {
  it('gets nothing more from that lane, and is told why each time', async () => {
    const log = [event(0, 'step/start', { turn: 1, step: 1 })]
    const live = [liveSession('P', log)]
    const run = await scenario(folder, [steps('1', '2', '3'), steps('c')], { live })
    expect(await say(run, 'P')).toBe('1')
    const first = await refusal(run, 'P')
    expect(first.code).toBe('UNRECORDED_RETRY')
    // The step that was recorded next: without the poison it would be served.
    log.push(event(1, 'step/start', { turn: 1, step: 2 }))
    const message =
      'llm-replay: lane poisoned: session P goes on calling the model, but ' +
      `lane 0 (${run.files[0]}) was refused something before, and no later answer would be the ` +
      `recorded one. Look at that first: ${first.message.replace('llm-replay: ', '')}`
    for (const _ of [1, 2]) {
      const error = await refusal(run, 'P')
      expect(error).toMatchObject({ code: 'LANE_POISONED', message })
    }
    expect(run.reported('refused').slice(1)).toEqual(
      [1, 2].map(() => ({
        event: 'refused',
        code: 'LANE_POISONED',
        message,
        lane: 0,
        call: 2,
        session: 'P',
      })),
    )
    run.dispose()
    expect(run.reported('left')).toEqual([
      { event: 'left', lane: 0, served: 1, left: 2 },
      { event: 'left', lane: 1, served: 0, left: 1 },
    ])
  })

  it('leaves other lanes as they are', async () => {
    const run = await scenario(folder, [steps('p'), steps('a1', 'a2')])
    await say(run, 'P')
    await say(run, 'A')
    await refusal(run, 'P')
    expect(await say(run, 'A')).toBe('a2')
  })

  it('is refused before anything else is looked at', async () => {
    const run = await scenario(folder, [steps('p'), steps('a')])
    await say(run, 'P')
    await refusal(run, 'P')
    expect((await refusal(run, 'P', { purpose: 'title' })).code).toBe('LANE_POISONED')
    // A new caller of that lane has to be bound before its lane is known.
    expect(await refusal(run)).toMatchObject({
      code: 'LANE_POISONED',
      message: expect.stringContaining('a caller without session id goes on calling the model'),
    })
    expect(run.reported('refused').at(-1)).toMatchObject({ lane: 0, call: 1, session: null })
  })

  it('is refused as a session where it has no lane', async () => {
    const run = await scenario(folder, [steps('p')])
    await say(run, 'P')
    expect((await refusal(run, 'X')).code).toBe('UNRECORDED_SESSION')
    const error = await refusal(run, 'X')
    expect(error.code).toBe('LANE_POISONED')
    expect(error.message).toContain(
      'session X goes on calling the model, but that session was refused something before, and no ' +
        'later answer would be the recorded one. Look at that first: a model call arrived from an ' +
        'unrecorded session (#2)',
    )
    expect(run.reported('refused').at(-1)).toEqual({
      event: 'refused',
      code: 'LANE_POISONED',
      message: error.message,
      session: 'X',
    })
  })

  it('gets no lane after a call of another purpose was refused', async () => {
    const run = await scenario(folder, [steps('p')])
    await refusal(run, 'P', { purpose: 'title' })
    expect((await refusal(run, 'P')).code).toBe('LANE_POISONED')
    expect(run.reported('bound')).toEqual([])
  })

  it('is refused after a tool was', async () => {
    const reportFile = folder.path('tool.report')
    const file = folder.write(
      'tool.json',
      JSON.stringify([
        { kind: 'chunks', chunks: answer('1') },
        { kind: 'chunks', chunks: answer('2') },
      ]),
    )
    const run = await scenario(folder, [[]], {
      reportFile,
      overrideFile: file,
      tools: { bsh: 'refuse' },
    })
    const first = await refusal(run, 'P')
    expect(first.code).toBe('TOOL_NOT_OFFERED')
    expect(await refusal(run, 'P')).toMatchObject({ code: 'LANE_POISONED' })
  })
})
