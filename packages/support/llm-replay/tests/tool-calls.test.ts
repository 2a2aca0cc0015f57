import { describe, expect, it } from 'vitest'
import { deriveToolCalls } from '../src/tool-calls.ts'
import { event } from './helpers/log.ts'

const call = (seq: number, fields: object = {}): ReturnType<typeof event> =>
  event(seq, 'tool/call', {
    turn: 1,
    step: 1,
    callId: 'c',
    name: 'bash',
    arguments: '{}',
    ...fields,
  })
const result = (
  seq: number,
  text: string,
  extras: object = {},
  fields: object = {},
): ReturnType<typeof event> =>
  event(seq, 'tool/result', { turn: 1, step: 1, callId: 'c', content: [text], ...fields }, extras)
const outcome = (calls: ReturnType<typeof deriveToolCalls>): unknown[] =>
  calls.map((found) => found.result?.content)

describe('deriveToolCalls', () => {
  it('numbers calls within their step and drops what is internal', () => {
    const log = [call(0), call(1), call(2, { step: 2 }), call(3, { turn: 2 })]
    expect(deriveToolCalls(log)).toEqual(
      [
        [1, 1, 0],
        [1, 1, 1],
        [1, 2, 0],
        [2, 1, 0],
      ].map(([turn, step, at]) => ({ turn, step, call: at, name: 'bash', arguments: '{}' })),
    )
  })

  it('case R5: gives a result to the call that it names, not to the one that is first', () => {
    const log = [
      call(0),
      call(1),
      result(2, 'second', { sourceEventSeqs: [1] }),
      result(3, 'first', { sourceEventSeqs: [0] }),
      result(4, 'late', { sourceEventSeqs: [0] }),
    ]
    expect(outcome(deriveToolCalls(log))).toEqual([['first'], ['second']])
  })

  it('matches by call id within the step where no source is named', () => {
    const log = [
      call(0),
      call(1),
      call(2, { callId: 'other' }),
      call(3, { step: 2 }),
      call(4, { turn: 2 }),
      result(5, 'a'),
      result(6, 'b'),
      result(7, 'c', {}, { callId: 'other' }),
      result(8, 'd', {}, { turn: 2 }),
      result(9, 'e', {}, { step: 2 }),
      result(10, 'none', {}, { callId: 'missing' }),
    ]
    expect(outcome(deriveToolCalls(log))).toEqual([['a'], ['b'], ['c'], ['e'], ['d']])
  })

  it('ignores unknown shapes and other events, but counts their positions', () => {
    const log = [
      event(0, 'tool/call', null),
      call(1, { turn: '1' }),
      call(2, { step: null }),
      call(3, { name: 7 }),
      call(4, { arguments: {} }),
      event(5, 'tool/progress', { turn: 1, step: 1, callId: 'c' }),
      call(6),
      event(7, 'tool/note', { turn: 1, step: 1, callId: 'c', content: ['no'] }),
    ]
    expect(deriveToolCalls(log)).toEqual([
      { turn: 1, step: 1, call: 2, name: 'bash', arguments: '{}' },
    ])
  })
})
