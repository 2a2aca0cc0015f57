import { parseLineage } from 'dsh-session'
import { describe, expect, it } from 'vitest'
import { describeLanes, type LaneState, left } from '../src/lane-state.ts'
import type { SessionScript } from '../src/types.ts'
import { header } from './helpers/log.ts'

function state(
  lane: number,
  fields: Partial<LaneState> = {},
  lineage?: string,
  calls = 1,
): LaneState {
  const at = lineage === undefined ? undefined : parseLineage(lineage)
  const script: SessionScript = {
    file: `f${lane}`,
    header: header(),
    ...(at === undefined ? {} : { lineage: at }),
    entries: Array.from({ length: calls }, () => ({ kind: 'hang' })),
    positions: [],
    toolCalls: [],
  }
  return { lane, script, holder: undefined, made: 0, ...fields }
}
/** The lanes of a description, in its order. */
const order = (text: string): number[] =>
  [...text.matchAll(/lane (\d+)/g)].map(([, lane]) => Number(lane))

describe('describeLanes', () => {
  it('names no more than five of a kind, and says how many there are', () => {
    const many = [0, 1, 2, 3, 4, 5, 6].map((lane) => state(lane))
    expect(describeLanes(many, undefined)).toMatch(
      /^Free: lane 0 .*; lane 4 \(f4\): 1 of 1 call left; and 2 more\. $/,
    )
    expect(describeLanes(many.slice(0, 5), undefined)).not.toContain('more')
    expect(describeLanes([], '0')).toBe('')
  })

  it('puts the lanes that share most of the way first, and keeps their order otherwise', () => {
    const lanes = [
      state(0),
      state(1, {}, '1/1.1.0.0'),
      state(2, {}, '0'),
      state(3, {}, '0/1.1.5.0/1.1.0.0'),
      state(4, {}, '0/1.1.0.0'),
      state(5, {}, '0/1.1.0.0/1.1.0.0/1.1.0.0'),
      state(6, {}, '0/1.1.0.0/1.1.0.1'),
    ]
    const pick = (...at: number[]): LaneState[] => at.map((lane) => lanes[lane] as LaneState)
    expect(order(describeLanes(pick(0, 1, 2, 4, 5), '0/1.1.0.0/1.1.0.0'))).toEqual([5, 4, 2, 0, 1])
    expect(order(describeLanes(pick(3, 6, 5, 0), '0/1.1.0.0/1.1.0.0'))).toEqual([5, 6, 3, 0])
    expect(order(describeLanes(pick(2, 1, 0), '1'))).toEqual([1, 2, 0])
    expect(order(describeLanes(pick(2, 1, 0), undefined))).toEqual([2, 1, 0])
  })

  it('tells what is free, in use and used up apart', () => {
    const lanes = [
      state(0, { holder: 'a', made: 1 }),
      state(1, { holder: 'b', made: 1 }, undefined, 3),
      state(2, { made: 1 }, undefined, 2),
      state(3, { holder: 'c' }, undefined, 0),
    ]
    expect(describeLanes(lanes, undefined)).toBe(
      'Free: lane 2 (f2): 1 of 2 calls left. In use: lane 1 (f1): 2 of 3 calls left, session b. ' +
        'Used up: lane 0 (f0): session a; lane 3 (f3): session c. ',
    )
  })

  it('has none left where more calls came than were recorded', () => {
    expect([left(state(0, { made: 3 })), left(state(0))]).toEqual([0, 1])
  })
})
