import { expect, test } from 'vitest'
import type { StreamFault } from '../../src/index.ts'
import { planStream } from '../../src/render/plan.ts'
import type { ReadyStream } from '../../src/script/ready.ts'

const base: ReadyStream = {
  reasoning: [],
  text: [],
  calls: [],
  finish: 'stop',
  usageOn: 'finish',
  gapMs: 0,
  keepAlive: 0,
}

/** The plan in short: what is sent without its framing, waits as numbers. */
function plan(more: Partial<ReadyStream>, fault?: StreamFault): unknown[] {
  const answer = { ...base, ...more, ...(fault && { fault }) }
  return planStream(answer, ['a', 'b', 'c']).map((act) => {
    if ('data' in act) return act.data.replace(/^data: (.*)\n\n$/u, '$1')
    if (act.act === 'wait') return act.ms
    return 'name' in act ? `${act.act} ${act.name}` : act.act
  })
}

test('events go out framed, then [DONE]', () => {
  expect(planStream(base, ['a'])).toEqual([
    { act: 'send', data: 'data: a\n\n' },
    { act: 'end', data: 'data: [DONE]\n\n' },
  ])
  expect(plan({})).toEqual(['a', 'b', 'c', '[DONE]'])
})

test('pacing is between events, comments come first', () => {
  expect(plan({ gapMs: 7, keepAlive: 2 })).toEqual([
    ': keep-alive\n\n',
    ': keep-alive\n\n',
    'a',
    7,
    'b',
    7,
    'c',
    '[DONE]',
  ])
})

test.each<[StreamFault, unknown[]]>([
  [{ kind: 'cut', after: 2 }, ['a', 'b', 100, 'drop']],
  [{ kind: 'cut', after: 0, lingerMs: 0 }, [0, 'drop']],
  [{ kind: 'cut', after: 3, lingerMs: 5 }, ['a', 'b', 'c', 5, 'drop']],
  [{ kind: 'hang', after: 1 }, ['a', 'hang here']],
  [{ kind: 'hold', after: 1 }, ['a', 'hold here', 'b', 'c', '[DONE]']],
  [{ kind: 'malformed', after: 1 }, ['a', '{"choices":[{"delta":{"content":', 'b', 'c', '[DONE]']],
  [{ kind: 'malformed', after: 3, data: 'oops' }, ['a', 'b', 'c', 'oops', '[DONE]']],
  [{ kind: 'no-done' }, ['a', 'b', 'c', '']],
])('fault %j', (fault, expected) => {
  expect(plan({ pause: 'here' }, fault)).toEqual(expected)
})

test('faults keep the pacing', () => {
  expect(plan({ gapMs: 7 }, { kind: 'no-done' })).toEqual(['a', 7, 'b', 7, 'c', ''])
  expect(plan({ gapMs: 7 }, { kind: 'cut', after: 2, lingerMs: 1 })).toEqual([
    'a',
    7,
    'b',
    1,
    'drop',
  ])
  expect(plan({ gapMs: 7, pause: 'p' }, { kind: 'hold', after: 1 })).toEqual([
    'a',
    'hold p',
    'b',
    7,
    'c',
    '[DONE]',
  ])
})
