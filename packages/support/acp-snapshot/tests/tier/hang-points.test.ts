import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadScenario } from '../../src/scenario/load.ts'
import type { Step } from '../../src/scenario/types.ts'
import { findHangPoints, hangPoints } from '../../src/tier/hang-points.ts'
import { header, jsonl } from '../temp.ts'
import { GREEN, scenarios } from './example.ts'

const byOverride = { positions: [] }
const event = (type: string, data: unknown = {}) => ({ line: 1, value: { type, data } })
const hang = { kind: 'hang' } as const
const chunks = { kind: 'chunks', chunks: [] } as const
const place = (turn: number) => ({ turn, step: 1, call: 0, index: 0 })
const prompt = (op: 'prompt' | 'promptAndCancel' | 'promptExpectError'): Step => ({ op, text: '' })

describe('hangPoints', () => {
  it('takes the prompt of a call from the log', () => {
    const records = [
      event('turn/start'),
      event('step/start'),
      event('step/start'),
      event('turn/start'),
      event('step/start', null),
      event('step/start'),
    ]
    expect(hangPoints(0, { ...byOverride, entries: [chunks, hang, hang] }, records, [])).toEqual([
      { lane: 0, call: 2, root: 0, prompt: 1 },
      { lane: 0, call: 3, root: 0, prompt: 2 },
    ])
  })

  it('case R3: counts the attempts of a step where a sidecar replaced the whole script', () => {
    const records = [
      event('turn/start'),
      event('step/start'),
      event('llm/failure'),
      event('llm/retry'),
      event('turn/start'),
      event('step/start'),
    ]
    expect(hangPoints(0, { ...byOverride, entries: [chunks, hang, hang] }, records, [])).toEqual([
      { lane: 0, call: 2, root: 0, prompt: 1 },
      { lane: 0, call: 3, root: 0, prompt: 2 },
    ])
  })

  it('takes it from the turn of a derived call, of which a step may have several', () => {
    const records = [
      event('turn/start', { turn: 4 }),
      event('step/start'),
      event('turn/start', null),
      event('turn/start', { turn: 6 }),
      event('step/start'),
    ]
    const at = (turn: number) => ({ turn, step: 1 })
    const script = { entries: [chunks, hang, hang, hang], positions: [4, 4, 6, 9].map(at) }
    const steps: Step[] = [{ op: 'newSession' }, prompt('promptAndCancel')]
    expect(hangPoints(0, script, records, steps)).toEqual([
      { lane: 0, call: 2, root: 0, prompt: 1 },
      { lane: 0, call: 3, root: 0, prompt: 2 },
    ])
  })

  it('takes it from the cancelling steps where the log does not go so far', () => {
    const steps: Step[] = [
      { op: 'initialize' },
      { op: 'newSession' },
      prompt('prompt'),
      prompt('promptAndCancel'),
      prompt('promptExpectError'),
      prompt('promptAndCancel'),
      { op: 'newSession' },
      prompt('promptAndCancel'),
    ]
    expect(
      hangPoints(0, { ...byOverride, entries: [chunks, hang, chunks, hang, hang] }, [], steps),
    ).toEqual([
      { lane: 0, call: 2, root: 0, prompt: 2 },
      { lane: 0, call: 4, root: 0, prompt: 4 },
    ])
  })

  it('takes that of a child from the turn of its root that started it', () => {
    const path = [place(3), place(1)]
    const records = [{ line: 1, value: header('c', { parentSession: 'p' }) as object }] as never
    const script = { ...byOverride, entries: [chunks, hang], lineage: { root: 1, path } }
    expect(hangPoints(2, script, records, [])).toEqual([{ lane: 2, call: 2, root: 1, prompt: 3 }])
  })

  it('takes it from the steps for a child of unknown lineage, whose own turns are no prompts', () => {
    const records = [
      { line: 1, value: header('c', { parentSession: 'p' }) },
      event('turn/start'),
      event('step/start'),
    ] as never
    const steps: Step[] = [{ op: 'newSession' }, prompt('prompt'), prompt('promptAndCancel')]
    expect(hangPoints(1, { ...byOverride, entries: [hang] }, records, steps)).toEqual([
      { lane: 1, call: 1, root: 0, prompt: 2 },
    ])
  })

  it('counts the prompts of each root for itself', () => {
    const steps: Step[] = [
      { op: 'newSession' },
      prompt('promptAndCancel'),
      { op: 'newSession' },
      prompt('prompt'),
      prompt('promptAndCancel'),
    ]
    const script = { ...byOverride, entries: [hang], lineage: { root: 1, path: [] } }
    expect(hangPoints(1, script, [], steps)).toEqual([{ lane: 1, call: 1, root: 1, prompt: 2 }])
  })
})

describe('findHangPoints', () => {
  it('finds a hang that a patch puts into a log', async () => {
    const place = (step: number) => ({ turn: 1, step })
    const finish = { type: 'finish', reason: { kind: 'tool-calls' } }
    const root = scenarios({
      patched: {
        ...GREEN,
        'session.jsonl': jsonl(
          header('a'),
          { type: 'turn/start', seq: 0, time: 0, data: { turn: 1 } },
          { type: 'step/start', seq: 1, time: 0, data: place(1) },
          { type: 'assistant/chunk', seq: 2, time: 0, data: { ...place(1), chunk: finish } },
          { type: 'step/start', seq: 3, time: 0, data: place(2) },
          {
            type: 'assistant/chunk',
            seq: 4,
            time: 0,
            data: { ...place(2), chunk: { type: 'text-delta', index: 0, text: 'x' } },
          },
        ),
        'replay.override.json': '{"patches":[{"at":1,"entry":{"kind":"hang"}}]}',
      },
    })
    const scenario = await loadScenario(join(root, 'patched'))
    await expect(findHangPoints(scenario)).resolves.toEqual([
      { lane: 0, call: 2, root: 0, prompt: 1 },
    ])
  })

  it('reads the override and the log', async () => {
    const root = scenarios({
      plain: GREEN,
      hangs: {
        ...GREEN,
        'session.jsonl': jsonl(
          header('a'),
          { type: 'turn/start', seq: 0, time: 0, data: {} },
          {
            type: 'step/start',
            seq: 1,
            time: 0,
            data: {},
          },
        ),
        'replay.override.json': '[{"kind":"hang"}]',
      },
    })
    await expect(findHangPoints(await loadScenario(join(root, 'plain')))).resolves.toEqual([])
    const scenario = await loadScenario(join(root, 'hangs'))
    await expect(findHangPoints(scenario)).resolves.toEqual([
      { lane: 0, call: 1, root: 0, prompt: 1 },
    ])
    await expect(findHangPoints({ ...scenario, logFiles: [] })).resolves.toEqual([])
  })

  it('case R12: finds a hang that the log itself tells of', async () => {
    const place = { turn: 1, step: 1 }
    const root = scenarios({
      hangs: {
        ...GREEN,
        'session.jsonl': jsonl(
          header('a'),
          { type: 'turn/start', seq: 0, time: 0, data: { turn: 1 } },
          {
            type: 'llm/failure',
            seq: 1,
            time: 0,
            data: { ...place, kind: 'aborted', message: 'aborted' },
          },
        ),
      },
    })
    await expect(findHangPoints(await loadScenario(join(root, 'hangs')))).resolves.toEqual([
      { lane: 0, call: 1, root: 0, prompt: 1 },
    ])
  })
})
