import { describe, expect, it } from 'vitest'
import { currentStep, earlierCalls, samePosition } from '../src/live.ts'
import { liveSession } from './helpers/agent.ts'
import { answer, event, events } from './helpers/log.ts'

describe('earlierCalls', () => {
  it('are the calls with chunks, finished or not', () => {
    const log = events([
      { chunks: answer('a') },
      { chunks: answer('retry') },
      { step: 2, chunks: answer('cancelled').slice(0, 2) },
    ])
    expect(earlierCalls(liveSession('s', log))).toEqual([
      answer('a'),
      answer('retry'),
      answer('cancelled').slice(0, 2),
    ])
    expect(earlierCalls(liveSession('s'))).toEqual([])
  })

  it('hold a step that ended without a chunk in its place, but not the one that is running', () => {
    const log = [
      event(0, 'step/start', { turn: 1, step: 1 }),
      ...events([{ chunks: answer('a') }], 1),
      event(6, 'step/end', { turn: 1, step: 1 }),
      event(7, 'step/start', { turn: 2, step: 1 }),
      event(8, 'step/end', { turn: 2, step: 1 }),
      event(9, 'step/end', 'unknown shape'),
      ...events([{ turn: 3, chunks: answer('b') }], 10),
      event(15, 'step/start', { turn: 4, step: 1 }),
    ]
    expect(earlierCalls(liveSession('s', log))).toEqual([answer('a'), [], answer('b')])
  })

  it('count a call that failed, with its chunks or without, once', () => {
    const place = { turn: 1, step: 1 }
    const failure = { ...place, kind: 'error', message: 'm' }
    const log = [
      event(0, 'llm/failure', failure),
      event(1, 'llm/retry', place),
      ...events([{ chunks: answer('a').slice(0, 2) }], 2),
      event(4, 'llm/failure', failure),
      event(5, 'step/end', place),
    ]
    expect(earlierCalls(liveSession('s', log))).toEqual([[], answer('a').slice(0, 2)])
  })

  it('leaves out what a fork inherited', () => {
    const log = [
      ...events([{ chunks: answer('seed') }]),
      event(5, 'step/end', { turn: 1, step: 2 }),
      ...events([{ turn: 2, chunks: answer('own') }], 6),
    ]
    const own = answer('own')
    expect(earlierCalls(liveSession('s', log, { seedLength: 6 }))).toEqual([own])
    expect(earlierCalls(liveSession('s', log))).toEqual([answer('seed'), [], own])
  })

  it('names the session whose log is broken', () => {
    expect(() => earlierCalls(liveSession('s', [event(0, 'assistant/chunk', {})]))).toThrow(
      'llm-replay: the log of session s: malformed assistant/chunk at seq 0',
    )
  })
})

describe('currentStep', () => {
  it('is the last that started', () => {
    const log = [
      event(0, 'step/start', { turn: 1, step: 1 }),
      event(1, 'step/start', { turn: 2, step: 7 }),
      event(2, 'request/header', { turn: 9, step: 9 }),
    ]
    expect(currentStep(liveSession('s', log))).toEqual({ turn: 2, step: 7 })
    expect(currentStep(liveSession('s', log.slice(0, 1)))).toEqual({ turn: 1, step: 1 })
  })

  it.each([
    [[]],
    [[event(0, 'step/end', { turn: 1, step: 1 })]],
    [[event(0, 'step/start', null)]],
    [[event(0, 'step/start', { turn: 1 })]],
    [[event(0, 'step/start', { turn: '1', step: 1 })]],
  ])('is unknown in %j', (log) => {
    expect(currentStep(liveSession('s', log))).toBeUndefined()
  })
})

describe('samePosition', () => {
  it('compares both numbers', () => {
    const at = { turn: 1, step: 2 }
    expect(samePosition(at, { ...at })).toBe(true)
    expect(samePosition(at, { turn: 2, step: 2 })).toBe(false)
    expect(samePosition(at, { turn: 1, step: 1 })).toBe(false)
  })
})
