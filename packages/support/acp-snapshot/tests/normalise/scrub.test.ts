import { expect, it } from 'vitest'
import { ANY_ID, HeaderBook } from '../../src/normalise/header-book.ts'
import { Replacer } from '../../src/normalise/replacer.ts'
import { scrubHeader, seeHeader } from '../../src/normalise/scrub.ts'

const json = (value: unknown) => JSON.stringify(value)
const newBook = () =>
  new HeaderBook(new Replacer({ cwdAliases: [], sessionIds: [], kept: new Set(), book: ANY_ID }))
const scrub = (event: Parameters<typeof scrubHeader>[0]) => scrubHeader(event, newBook())
const event = (header: unknown) => ({ type: 'request/header', data: { header, reason: 'initial' } })

it('replaces prompt and tools in place', () => {
  const full = event({
    config: { model: 'm' },
    system: 'S',
    tools: [{ name: 't' }],
    messagePrefix: [],
  })
  expect(json(scrub(full))).toBe(
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
  expect(json(scrub(bare))).toBe(json(bare))
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
  expect(json(scrub(delta(['a', 'b'], [{ name: 'x' }], [])))).toBe(
    json(delta(['{{system}}', '{{system}}'], ['{{tools}}'], [])),
  )
  expect(json(scrub(delta([], [], [{ name: 'x' }])))).toBe(json(delta([], [], ['{{tools}}'])))
  const bare = { type: 'request/header-delta', data: { config: { model: 'm' } } }
  expect(json(scrub(bare))).toBe(json(bare))
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
  expect(json(scrub(line))).toBe(json(line))
})

it('counts after what stands in headers, and nowhere else', () => {
  const book = newBook()
  seeHeader(event({ system: '{{system.2}}', tools: '{{tools}}' }), book)
  for (const line of [
    { ...event({ system: '{{system.7}}' }), type: 'other' },
    { type: 'request/header', data: null },
    event('{{system.7}}'),
  ]) {
    seeHeader(line, book)
  }
  expect(json(scrubHeader(event({ system: 'S', tools: [] }), book))).toBe(
    json(event({ system: '{{system.3}}', tools: '{{tools.1}}' })),
  )
})
