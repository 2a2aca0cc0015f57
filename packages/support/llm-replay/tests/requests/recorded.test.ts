import type { SessionEvent } from 'dsh-session'
import { expect, it } from 'vitest'
import { recordedRequests } from '../../src/requests/recorded.ts'
import { HistoryWalk } from '../../src/requests/history.ts'
import { event, header } from '../helpers/log.ts'

const asked = (text: string) => ({ content: [{ type: 'text', text }] })
const append = { surfaceOp: 'append' }
const head = { header: { config: { model: 'm' } } }
const chunk = (turn: number, step: number) => ({ turn, step, chunk: {} })

function requests(
  events: readonly SessionEvent[],
  places: readonly [number, number][],
  seedLength?: number,
) {
  return recordedRequests(
    {
      file: 's.jsonl',
      header: header(seedLength === undefined ? {} : { seedLength }),
      lines: new Map(events.map((each, at) => [each, at + 2])),
    },
    places.map(([turn, step]) => ({ turn, step })),
  )
}

const log = [
  event(0, 'user/message', asked('one'), append),
  event(1, 'step/start', { turn: 1, step: 1 }),
  event(2, 'request/header', head),
  event(3, 'assistant/chunk', chunk(1, 1)),
  event(4, 'llm/retry', { turn: 1, step: 1 }),
  event(5, 'assistant/chunk', chunk(1, 1)),
  event(6, 'assistant/message', { turn: 1, step: 1, ...asked('two') }, append),
  event(7, 'llm/failure', { turn: 1, step: 2 }),
  event(8, 'step/end', { turn: 1, step: 2 }),
  event(9, 'user/message', asked('three'), append),
  event(10, 'step/start', { turn: 2, step: 1 }),
  event(11, 'assistant/chunk', chunk(2, 1)),
]

it('finds each call at the first sign of it; a retry is where the first attempt was', () => {
  const found = requests(log, [
    [1, 1],
    [1, 1],
    [1, 2],
    [2, 1],
  ])
  expect(found).toEqual({ events: log, before: [3, 3, 7, 11] })
  const walk = new HistoryWalk(found.events)
  const texts = found.before.map((count) =>
    walk
      .after(count)
      .map(({ role, content }) => [role, ...content.map((block) => 'text' in block && block.text)]),
  )
  const told = [
    ['user', 'one'],
    ['assistant', 'two'],
    ['user', 'three'],
  ]
  expect(texts).toEqual([told.slice(0, 1), told.slice(0, 1), told.slice(0, 2), told])
})

it('finds the calls of a fork behind what it inherited', () => {
  const own = log.map((each) => ({ ...each, seq: each.seq + 12 }))
  expect(
    requests(
      [...log, ...own],
      [
        [1, 1],
        [2, 1],
      ],
      12,
    ).before,
  ).toEqual([15, 23])
})

it('takes a step of the other turn for another', () => {
  const events = [
    event(0, 'request/header', head),
    event(1, 'assistant/chunk', chunk(1, 1)),
    event(2, 'assistant/chunk', chunk(2, 1)),
    event(3, 'assistant/chunk', chunk(2, 2)),
    event(4, 'assistant/chunk', null),
  ]
  expect(
    requests(events, [
      [1, 1],
      [2, 1],
      [2, 2],
    ]).before,
  ).toEqual([1, 2, 3])
})

it('asks nothing of a log without calls', () => {
  expect(requests([event(0, 'turn/start', {})], []).before).toEqual([])
})

const ADVICE =
  ', so the log does not say what the model was asked. ' +
  'Record the scenario again, or take "requests": "strict" from it.'

it.each<[string, SessionEvent[], string]>([
  [
    'has no header before a call',
    log.filter(({ type }) => type !== 'request/header'),
    's.jsonl:4: no request/header stands before call 1',
  ],
  [
    'replaces what is not there',
    [
      ...log,
      event(12, 'user/message', asked('x'), { surfaceOp: { op: 'replace', start: 5, end: 5 } }),
    ],
    's.jsonl:14: "surfaceOp" replaces from 5, which is not in the conversation',
  ],
  [
    'changes a header that is another',
    log.map((each) =>
      each.seq === 4
        ? event(4, 'request/header-delta', { system: { keepStart: 1, keepEnd: 0, insert: [] } })
        : each,
    ),
    's.jsonl:6: a request/header-delta keeps 1 + 0 lines of a system prompt of 0',
  ],
])('refuses a log that %s', (_, events, problem) => {
  expect(() =>
    requests(events, [
      [1, 1],
      [1, 2],
      [2, 1],
    ]),
  ).toThrow(
    expect.objectContaining({
      code: 'FIXTURE_INVALID',
      message: `llm-replay: ${problem}${ADVICE}`,
    }),
  )
})
