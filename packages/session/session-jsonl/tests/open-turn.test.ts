import type { SessionEvent } from 'dsh-session'
import { describe, expect, test } from 'vitest'
import { OpenTurn } from '../src/open-turn.ts'

type Row = readonly [type: string, data: unknown, extras?: object]

function closersOf(...rows: Row[]): SessionEvent[] {
  const open = new OpenTurn()
  for (const [seq, [type, data, extras]] of rows.entries()) {
    open.observe({ type, seq, time: 100 + seq, data, ...extras })
  }
  return open.closers()
}

const start: Row = ['turn/start', { turn: 2 }]
const step: Row = ['step/start', { turn: 2, step: 3 }]
const call = (callId: string): Row => ['tool/call', { turn: 2, step: 3, callId }]
const asks = (...ids: string[]): Row => [
  'assistant/message',
  { content: [{ type: 'text', text: 't' }, ...ids.map((id) => ({ type: 'tool-call', id }))] },
]
const result = (callId: string, extras: object = {}): Row => ['tool/result', { callId }, extras]
const interrupted = { turn: 2, reason: { kind: 'interrupted' } }
const shape = (events: SessionEvent[]): unknown[] =>
  events.map(({ type, data, sourceEventSeqs }) =>
    type === 'tool/result'
      ? [(data as { callId: string }).callId, ...(sourceEventSeqs ?? [])]
      : type,
  )

describe('closers', () => {
  test('closes results, step and turn, at the time of the last event', () => {
    expect(JSON.stringify(closersOf(start, step, call('c')))).toBe(
      JSON.stringify([
        {
          type: 'tool/result',
          seq: 3,
          time: 102,
          data: {
            turn: 2,
            step: 3,
            callId: 'c',
            content: [{ type: 'text', text: 'Error: interrupted before the tool had finished' }],
            isError: true,
            error: { name: 'InterruptedError', code: 'interrupted' },
          },
          sourceEventSeqs: [2],
          surfaceOp: 'append',
        },
        { type: 'step/end', seq: 4, time: 102, data: { turn: 2, step: 3 } },
        { type: 'turn/end', seq: 5, time: 102, data: interrupted },
      ]),
    )
  })

  test('closes only what is open', () => {
    expect(closersOf()).toEqual([])
    expect(closersOf(['x', {}])).toEqual([])
    expect(shape(closersOf(start))).toEqual(['turn/end'])
    expect(shape(closersOf(start, step))).toEqual(['step/end', 'turn/end'])
    expect(shape(closersOf(start, step, ['step/end', {}]))).toEqual(['turn/end'])
    expect(closersOf(start, step, ['turn/end', {}])).toEqual([])
    expect(shape(closersOf(start, step, call('c'), ['turn/end', {}], start))).toEqual(['turn/end'])
    expect(shape(closersOf(start, step, call('c'), ['step/end', {}], step))).toEqual([
      'step/end',
      'turn/end',
    ])
  })

  test('answers pending calls in their order', () => {
    const rows = [start, step, asks('a', 'b', 'c'), call('a'), call('b'), result('a')]
    expect(shape(closersOf(...rows))).toEqual([['b', 4], ['c', 2], 'step/end', 'turn/end'])
  })

  test('a call that starts before another that was asked for first leaves that one its place', () => {
    const rows = [start, step, asks('a', 'b'), call('b')]
    expect(shape(closersOf(...rows))).toEqual([['a', 2], ['b', 3], 'step/end', 'turn/end'])
  })

  test('a result settles the call that its sources name, whatever its call id', () => {
    const rows = [start, step, call('a'), call('b'), result('b', { sourceEventSeqs: [2] })]
    expect(shape(closersOf(...rows))).toEqual([['b', 3], 'step/end', 'turn/end'])
  })

  test('a call counts from the message that asks for it', () => {
    expect(shape(closersOf(start, step, asks('a')))).toEqual([['a', 2], 'step/end', 'turn/end'])
  })

  test('tells calls of the same id apart by their results’ sources', () => {
    const rows = [start, step, asks('a', 'a'), call('a'), call('a')]
    const second = result('a', { sourceEventSeqs: [4] })
    expect(shape(closersOf(...rows, second))).toEqual([['a', 3], 'step/end', 'turn/end'])
    expect(shape(closersOf(...rows, result('a')))).toEqual([['a', 4], 'step/end', 'turn/end'])
  })

  test('a result that answers nothing settles nothing', () => {
    const rows = [start, step, call('a'), result('b', { sourceEventSeqs: [0] })]
    expect(shape(closersOf(...rows))).toEqual([['a', 2], 'step/end', 'turn/end'])
  })

  test('reads past data of shapes that it does not know', () => {
    const odd = [null, 5, {}, { content: 'x' }, { content: [null, { type: 'text' }] }]
    const rows = odd.map((data): Row => ['assistant/message', data])
    expect(shape(closersOf(start, step, ...rows))).toEqual(['step/end', 'turn/end'])
    expect(closersOf(['turn/start', { turn: '1' }], step)).toEqual([])
    expect(shape(closersOf(start, ['step/start', null], call('a')))).toEqual(['turn/end'])
  })
})
