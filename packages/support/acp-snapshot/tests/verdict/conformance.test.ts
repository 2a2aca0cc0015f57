import { expect, it } from 'vitest'
import { compareRecording } from '../../src/verdict/conformance.ts'
import { header, jsonl } from '../temp.ts'

const R0 = '00000000-aaaa-4aaa-8aaa-000000000000'
const R1 = '11111111-aaaa-4aaa-8aaa-111111111111'
const L0 = 'aaaaaaaa-cccc-4ccc-8ccc-aaaaaaaaaaaa'
const L1 = 'bbbbbbbb-cccc-4ccc-8ccc-bbbbbbbbbbbb'

const event = (type: string, data: unknown, more: object = {}) => ({
  type,
  seq: 0,
  time: 9,
  data,
  ...more,
})
const request = (config: object, system: unknown = 'S') =>
  event('request/header', { header: { config, system, tools: [] }, reason: 'initial' })

const compare = (recorded: unknown[][], live: unknown[][]) =>
  compareRecording(
    recorded.map((values, index) => ({ name: `session.${index}`, text: jsonl(...values) })),
    {
      sessionLogs: live.map((values, index) => ({ path: `live/${index}`, text: jsonl(...values) })),
      cwdAliases: ['/live/cwd'],
      sessionIds: [L0],
    },
  )
const recordedHeader = header(R0, { createdAt: 17, cwd: '/tmp/rec' })
const liveHeader = header(L0, { createdAt: 99, cwd: '/live/cwd', root: 0 })
const agree = (a: unknown, b: unknown) =>
  compare([[recordedHeader, a]], [[liveHeader, b]]).length === 0

it('excuses headers, times, paths, ids, the model and the request texts', () => {
  expect(
    compare(
      [
        [
          recordedHeader,
          request({ model: 'deepseek' }, '{{system}}'),
          event('x', { p: '/tmp/rec/a', q: '/private/tmp/rec', s: R0, c: R1 }),
        ],
        [header(R1, { parentSession: R0, cwd: '/tmp/rec' }), event('y', {})],
      ],
      [
        [
          liveHeader,
          request({ model: 'other' }, 'prompt'),
          event('x', { p: '/live/cwd/a', q: '/live/cwd', s: L0, c: L1 }, { time: 1 }),
        ],
        [header(L1, { parentSession: L0, spawnedBy: 1 }), event('y', {})],
      ],
    ),
  ).toEqual([])
})

it('excuses that sessions are told the same in one program, and not in the other', () => {
  const logs = (root: string, child: string, ids: readonly [string, string]) =>
    ids.map((id, at) => [header(id), request({ model: 'm' }, [root, child][at])])
  expect(compare(logs('a', 'a', [R0, R1]), logs('a', 'b', [L0, L1]))).toEqual([])
  expect(compare(logs('{{system}}', '{{system.1}}', [R0, R1]), logs('a', 'a', [L0, L1]))).toEqual(
    [],
  )
})

it('knows the ids that the recorded model said', () => {
  expect(agree(event('x', R0), event('x', R0))).toBe(true)
  expect(agree(event('x', R0), event('x', L0))).toBe(true)
})

it('case R13: does not excuse another session', () => {
  expect(agree(event('x', R0), event('x', L1))).toBe(false)
})

it.each([
  ['the type', event('x', 1), event('y', 1)],
  ['seq', event('x', 1), event('x', 1, { seq: 1 })],
  ['data', event('x', { a: 1 }), event('x', { a: 2 })],
  ['the order of keys', event('x', { a: 1, b: 2 }), event('x', { b: 2, a: 1 })],
  ['sourceEventSeqs', event('x', 1, { sourceEventSeqs: [1] }), event('x', 1)],
  ['surfaceOp', event('x', 1, { surfaceOp: 'append' }), event('x', 1)],
  [
    'the presence of a prompt',
    event('request/header', { header: { config: { model: 'm' }, tools: [] }, reason: 'initial' }),
    request({ model: 'm' }),
  ],
  ['the rest of the config', request({ model: 'm', stop: [] }), request({ model: 'm' })],
  ['a missing model', request({}), request({ model: 'm' })],
  ['the order in the config', request({ model: 'm', a: 1 }), request({ a: 1, model: 'm' })],
  [
    'a model in another event',
    event('x', { header: { config: { model: 'a' } } }),
    event('x', { header: { config: { model: 'b' } } }),
  ],
  ['an event too many', event('x', 1), undefined],
])('does not excuse %s', (_, a, b) => {
  if (b === undefined) {
    expect(compare([[recordedHeader, a]], [[liveHeader, a, a]])).toHaveLength(1)
    return
  }
  expect(agree(a, a)).toBe(true)
  expect(agree(b, b)).toBe(true)
  expect(agree(a, b)).toBe(false)
})

it('ignores other fields of an envelope', () => {
  expect(agree(event('x', 1, { extra: 1 }), event('x', 1))).toBe(true)
})

it('takes out the model and the texts of a delta, but not its other parts', () => {
  const delta = (data: object) => event('request/header-delta', data)
  const system = (keepStart: number) => ({ system: { keepStart, keepEnd: 0, insert: ['x'] } })
  expect(agree(delta(system(1)), delta(system(2)))).toBe(true)
  expect(
    agree(delta({ tools: { added: [] } }), delta({ tools: { added: [1], removed: ['x'] } })),
  ).toBe(true)
  expect(agree(delta({ config: { model: 'a' } }), delta({ config: { model: 'b' } }))).toBe(true)
  expect(agree(delta({ config: { model: 'a' } }), delta({ config: 3 }))).toBe(false)
  expect(agree(delta(system(1)), delta({}))).toBe(false)
  expect(agree(delta({ tools: {} }), delta({ ...system(1) }))).toBe(false)
  expect(agree(delta({ messagePrefix: [1] }), delta({ messagePrefix: [2] }))).toBe(false)
})

it.each([event('request/header', 'x'), event('request/header', { header: 3 })])(
  'compares a request header of another shape as it is: %j',
  (odd) => {
    expect(agree(odd, odd)).toBe(true)
    expect(agree(odd, event('request/header', { other: 1 }))).toBe(false)
  },
)

it('takes a header-only recording for a run without a log', () => {
  expect(compare([[header('00000000-0000-0000-0000-000000000000')]], [])).toEqual([])
  expect(compare([[recordedHeader]], [[liveHeader]])).toEqual([])
})

it('reports live logs that cannot be read', () => {
  const [finding] = compareRecording([{ name: 's', text: jsonl(recordedHeader) }], {
    sessionLogs: [{ path: 'live/0', text: 'x' }],
    cwdAliases: [],
    sessionIds: [],
  })
  expect(finding).toMatchObject({ kind: 'log-unreadable', path: 'live/0' })
})
