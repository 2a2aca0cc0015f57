import { expect, it } from 'vitest'
import { scrubHeader } from '../../src/normalise/scrub.ts'

const json = (value: unknown) => JSON.stringify(value)
const event = (header: unknown) => ({ type: 'request/header', data: { header, reason: 'initial' } })

it('replaces prompt and tools in place', () => {
  const full = event({
    config: { model: 'm' },
    system: 'S',
    tools: [{ name: 't' }],
    messagePrefix: [],
  })
  expect(json(scrubHeader(full))).toBe(
    json(
      event({
        config: { model: 'm' },
        system: '{{system}}',
        tools: '{{tools}}',
        messagePrefix: [],
      }),
    ),
  )
})

it('adds nothing that was absent', () => {
  const bare = event({ config: { model: 'm' } })
  expect(json(scrubHeader(bare))).toBe(json(bare))
})

it('keeps the shape of a delta', () => {
  const delta = (insert: string[], added: unknown[], changed: unknown[]) => ({
    type: 'request/header-delta',
    data: {
      system: { keepStart: 9, keepEnd: 2, insert },
      tools: { added, removed: ['old'], changed },
      config: { model: 'm' },
    },
  })
  expect(json(scrubHeader(delta(['a', 'b'], [{ name: 'x' }], [])))).toBe(
    json(delta(['{{system}}', '{{system}}'], ['{{tools}}'], [])),
  )
  expect(json(scrubHeader(delta([], [], [{ name: 'x' }])))).toBe(json(delta([], [], ['{{tools}}'])))
  const bare = { type: 'request/header-delta', data: { config: { model: 'm' } } }
  expect(json(scrubHeader(bare))).toBe(json(bare))
})

it.each([
  { type: 'request/header', data: 'x' },
  { type: 'request/header', data: null },
  { type: 'request/header-delta', data: null },
  { type: 'request/header', data: { header: 'x' } },
  { type: 'request/header-delta', data: { system: '{{system}}', tools: 3 } },
  { type: 'request/header-delta', data: { system: { insert: 'x' } } },
  { type: 'other', data: { header: { system: 'S' }, system: { insert: ['x'] } } },
])('leaves another shape: %j', (line) => {
  expect(json(scrubHeader(line))).toBe(json(line))
})
