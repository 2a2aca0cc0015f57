import { expect, test } from 'vitest'
import type { WireRule } from '../../src/index.ts'
import type { ChatRequest } from '../../src/match/request.ts'
import { prepareRules } from '../../src/script/prepare.ts'
import { type Arrival, Ledger } from '../../src/server/ledger.ts'

const ledger = (rules: WireRule[], max = 10): Ledger =>
  new Ledger(prepareRules({ rules }, undefined, 'x'), 'wire.json', max)
const by = (lineage?: string): Arrival => ({
  method: 'POST',
  path: '/chat/completions',
  headers: {},
  ...(lineage !== undefined && { lineage }),
  body: {},
})
const chat = (text: string): ChatRequest => ({
  model: 'm',
  messages: [{ role: 'user', content: text }],
  includeUsage: false,
})
const rule = (when: WireRule['when'], more: Partial<WireRule> = {}): WireRule => ({
  when,
  answer: {},
  ...more,
})

test('which rule answers does not depend on what was used before', () => {
  const book = ledger([rule({ lastUser: 'a' }), rule({ attempt: 2 })])
  expect(book.decide(by(), chat('a'))).toMatchObject({ kind: 'serve', number: 1 })
  // Rule 0 is used up, and still it makes the second attempt ambiguous.
  expect(book.decide(by(), chat('a'))).toMatchObject({ kind: 'refuse', code: 'ambiguous' })
})

test('a use is counted per lineage, whoever comes in between', () => {
  const book = ledger([rule({}, { times: 4 })])
  const nth = (lineage?: string): unknown => {
    const decision = book.decide(by(lineage), chat('a'))
    return decision.kind === 'serve' ? [decision.number, decision.nth] : decision
  }
  expect([nth('0'), nth('1'), nth('0'), nth()]).toEqual([
    [1, 0],
    [2, 0],
    [3, 1],
    [4, 0],
  ])
  expect(nth()).toMatchObject({ code: 'consumed' })
})

test('attempts are counted per caller and conversation, refused ones too', () => {
  const book = ledger([])
  book.decide(by('0'), chat('a'))
  book.decide(by('1'), chat('a'))
  book.decide(by('0'), chat('b'))
  book.decide(by('0'), chat('a'))
  expect(book.requests().map(({ facets }) => facets?.attempt)).toEqual([1, 1, 1, 2])
  const last = book.requests()[3]?.result
  expect(last).toMatchObject({ message: expect.stringContaining('a retry of request #1:') })
})

test('the report keeps served, refused and unused apart', () => {
  const book = ledger([
    rule({ lastUser: 'a' }, { name: 'A', times: 2 }),
    rule({ lastUser: 'b', lineage: '0' }),
    rule({ lastUser: 'c' }),
  ])
  book.decide(by(), chat('a'))
  book.decide(by('0'), chat('b'))
  book.refuse(by(), 'not_found', 'why')
  book.end(1, 'completed')
  book.end(3, 'completed')
  book.end(17, 'completed')
  expect(book.report()).toEqual({
    ok: false,
    served: [
      { request: 1, rule: 0, name: 'A', attempt: 1, outcome: 'completed' },
      { request: 2, rule: 1, attempt: 1, lineage: '0', outcome: 'open' },
    ],
    refused: [{ request: 3, code: 'not_found', message: 'request #3: why' }],
    unused: [
      { rule: 0, name: 'A', when: { lastUser: 'a' }, used: 1, times: 2 },
      { rule: 2, when: { lastUser: 'c' }, used: 0, times: 1 },
    ],
  })
  expect(book.requests()[2]?.result).toEqual({
    kind: 'refused',
    code: 'not_found',
    message: 'request #3: why',
  })
})

test('all is well only when nothing is refused and nothing is left', () => {
  expect(ledger([]).report()).toEqual({ ok: true, served: [], refused: [], unused: [] })
  expect(ledger([rule({})]).report().ok).toBe(false)
  const refused = ledger([])
  refused.decide(by(), chat('a'))
  expect(refused.report().ok).toBe(false)
  const used = ledger([rule({})])
  used.decide(by(), chat('a'))
  expect(used.report().ok).toBe(true)
})

test('requests over the limit are counted, not kept', () => {
  const book = ledger([], 1)
  expect([book.arrive(), book.arrive(), book.arrive()]).toEqual([true, false, false])
  expect(book.limitRefusal()).toEqual({
    kind: 'refuse',
    code: 'limit',
    message: 'more than 1 requests: the server keeps no more (maxRequests); does the agent loop?',
  })
  expect(book.report()).toMatchObject({
    ok: false,
    refused: [{ code: 'limit', message: '2 requests over the limit of 1' }],
  })
})

test('what was given out does not change', () => {
  const book = ledger([rule({})])
  const before = book.requests()
  book.decide(by(), chat('a'))
  expect(before).toEqual([])
  const open = book.requests()
  book.end(1, 'cut')
  expect(open[0]?.result).toMatchObject({ outcome: 'open' })
  expect(book.requests()[0]?.result).toMatchObject({ outcome: 'cut' })
})
