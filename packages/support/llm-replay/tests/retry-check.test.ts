import { describe, expect, it } from 'vitest'
import type { Cursor } from '../src/cursor.ts'
import { retryProblem } from '../src/retry-check.ts'
import type { CallPosition } from '../src/types.ts'
import { answer, header } from './helpers/log.ts'

const step = (at: string): CallPosition => {
  const [turn, step] = at.split('/').map(Number)
  return { turn: turn as number, step: step as number }
}

/** A session that made so many calls of a lane with these recorded steps, the last in a live step. */
function cursor(
  recorded: string[],
  made: number,
  last?: string,
  entries = recorded.length,
): Cursor {
  return {
    session: 's',
    lane: 0,
    script: {
      file: 'f',
      header: header(),
      entries: Array.from({ length: entries }, () => ({ kind: 'chunks', chunks: answer('x') })),
      positions: recorded.map(step),
      toolCalls: [],
    },
    after: 0,
    made,
    lastStep: last === undefined ? undefined : step(last),
    mapping: undefined,
  }
}

describe('case R3: a call is', () => {
  it.each<[string, Cursor, string, string | undefined]>([
    ['the same step on both sides', cursor(['1/1', '1/1'], 1, '4/1'), '4/1', undefined],
    ['another step on both sides', cursor(['1/1', '1/2'], 1, '4/1'), '4/2', undefined],
    ['another turn on both sides', cursor(['1/1', '2/1'], 1, '4/1'), '5/1', undefined],
    ['a retry only now', cursor(['1/1', '1/2'], 1, '4/1'), '4/1', 'UNRECORDED_RETRY'],
    ['a retry only now, by the turn', cursor(['1/1', '2/1'], 1, '4/1'), '4/1', 'UNRECORDED_RETRY'],
    ['a retry only then', cursor(['1/1', '1/1'], 1, '4/1'), '4/2', 'MISSING_RETRY'],
    ['a retry only then, by the turn', cursor(['1/1', '1/1'], 1, '4/1'), '5/1', 'MISSING_RETRY'],
    ['a retry past the end', cursor(['1/1'], 1, '4/1'), '4/1', 'UNRECORDED_RETRY'],
    ['a step past the end', cursor(['1/1'], 1, '4/1'), '4/2', undefined],
    ['the first of its session', cursor(['1/1', '1/1'], 1), '4/2', undefined],
    ['of a sidecar, whose entries have no step', cursor([], 1, '4/1', 2), '4/1', undefined],
    ['past the end of a sidecar', cursor([], 2, '4/1', 2), '4/1', 'UNRECORDED_RETRY'],
    ['the first one of its lane', cursor(['1/1'], 0, '4/1'), '4/1', undefined],
  ])('%s', (_, at, live, code) => {
    expect(retryProblem(at, step(live))?.code).toBe(code)
  })
})
