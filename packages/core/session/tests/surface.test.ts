import type { Message } from 'dsh-llm'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type SessionEvent, Surface, surfaceMessage } from '../src/index.ts'
import { event } from './support.ts'

const text = (value: string) => ({ type: 'text', text: value })
const user = (seq: number, surfaceOp: unknown = 'append'): SessionEvent =>
  event(
    seq,
    'user/message',
    { content: [text(`m${seq}`)], source: { kind: 'user' } },
    { surfaceOp },
  )
const textsOf = (messages: readonly Message[]): string[] =>
  messages.map((message) => (message.content[0] as { text: string }).text)

function surfaceOf(...events: SessionEvent[]): Surface {
  const surface = new Surface()
  for (const each of events) surface.apply(each)
  return surface
}

describe('surfaceMessage', () => {
  const source = { kind: 'plugin', plugin: 'p' }
  test('a user message is what the user wrote', () => {
    expect(surfaceMessage(user(0))).toEqual({ role: 'user', content: [text('m0')] })
  })

  test('an empty user message is still said', () => {
    const said = surfaceMessage(event(0, 'user/message', { content: [], source }))
    expect(said).toEqual({ role: 'user', content: [] })
  })

  test('an assistant message keeps all its blocks', () => {
    const content = [{ type: 'reasoning', text: 'r' }, text('t')]
    const said = surfaceMessage(event(0, 'assistant/message', { turn: 1, step: 1, content }))
    expect(said).toEqual({ role: 'assistant', content })
  })

  test('an empty assistant message says nothing', () => {
    const data = { turn: 1, step: 1, content: [], usage: { inputTokens: 1, outputTokens: 0 } }
    expect(surfaceMessage(event(0, 'assistant/message', data))).toBeUndefined()
  })

  test('a tool result becomes a block of a user message', () => {
    const data = { turn: 1, step: 1, callId: 'c', content: [text('out')], isError: false }
    expect(surfaceMessage(event(0, 'tool/result', data))).toEqual({
      role: 'user',
      content: [{ type: 'tool-result', toolCallId: 'c', content: [text('out')] }],
    })
    expect(surfaceMessage(event(0, 'tool/result', { ...data, isError: true }))).toEqual({
      role: 'user',
      content: [{ type: 'tool-result', toolCallId: 'c', content: [text('out')], isError: true }],
    })
  })

  test.each(['context/message', 'steering/message'])('%s is wrapped', (type) => {
    const said = surfaceMessage(event(0, type, { turn: 1, content: [text('note')], source }))
    expect(said).toEqual({
      role: 'user',
      content: [text('<context source="plugin">'), text('note'), text('</context>')],
    })
  })

  test('a message that a later format nests is taken from there', () => {
    const content = [{ type: 'tool-result', toolCallId: 'c', content: [], isError: false }]
    const result = event(0, 'tool/result', { turn: 1, message: { role: 'user', content } })
    expect(surfaceMessage(result)).toEqual({ role: 'user', content })
    const said = event(0, 'assistant/message', { message: { content: [text('t')] } })
    expect(surfaceMessage(said)).toEqual({ role: 'assistant', content: [text('t')] })
    const empty = event(0, 'assistant/message', { message: { content: [] } })
    expect(surfaceMessage(empty)).toBeUndefined()
    const silent = event(0, 'user/message', { message: { content: [] } })
    expect(surfaceMessage(silent)).toEqual({ role: 'user', content: [] })
  })

  test.each([null, 'text', 5, {}, { content: 'text' }, { message: null }])(
    'data that is %j says nothing',
    (data) => {
      expect(surfaceMessage(event(0, 'user/message', data))).toBeUndefined()
    },
  )

  test('is frozen all the way down', () => {
    const said = surfaceMessage(user(0))
    expect(Object.isFrozen(said)).toBe(true)
    expect(Object.isFrozen(said?.content[0])).toBe(true)
  })
})

describe('Surface', () => {
  test('takes in surface events in order and ignores the others', () => {
    const surface = surfaceOf(user(0), event(1, 'turn/start', {}), user(2))
    expect(textsOf(surface.messages())).toEqual(['m0', 'm2'])
  })

  test('gives the same array until something is said, and never changes one it gave', () => {
    const surface = surfaceOf(user(0))
    const before = surface.messages()
    surface.apply(event(1, 'assistant/chunk', {}))
    expect(surface.messages()).toBe(before)
    surface.apply(user(2))
    expect(textsOf(before)).toEqual(['m0'])
    expect(Object.isFrozen(before)).toBe(true)
    expect(textsOf(surface.messages())).toEqual(['m0', 'm2'])
  })

  test('derives each message once', () => {
    const surface = surfaceOf(user(0))
    const [first] = surface.messages()
    surface.apply(user(1))
    expect(surface.messages()[0]).toBe(first)
  })

  test.each<[number, number, string[]]>([
    [0, 0, ['m9', 'm2', 'm4']],
    [2, 2, ['m0', 'm9', 'm4']],
    [2, 4, ['m0', 'm9']],
    [0, 4, ['m9']],
  ])('replaces from node %d to node %d, in their place', (start, end, expected) => {
    const op = { op: 'replace', start, end } as const
    const surface = surfaceOf(user(0), user(2), user(4))
    expect(surface.problem(op)).toBeUndefined()
    surface.apply(user(9, op))
    expect(textsOf(surface.messages())).toEqual(expected)
  })

  test('a replacement can be the beginning of the next range, though its seq is higher', () => {
    const surface = surfaceOf(user(0), user(1), user(2))
    surface.apply(user(7, { op: 'replace', start: 0, end: 0 }))
    const op = { op: 'replace', start: 7, end: 1 } as const
    expect(surface.problem(op)).toBeUndefined()
    surface.apply(user(8, op))
    expect(textsOf(surface.messages())).toEqual(['m8', 'm2'])
  })

  test('a message that says nothing can still be an end of a range', () => {
    const empty = event(1, 'assistant/message', { content: [] }, { surfaceOp: 'append' })
    const surface = surfaceOf(user(0), empty, user(2))
    expect(textsOf(surface.messages())).toEqual(['m0', 'm2'])
    surface.apply(user(3, { op: 'replace', start: 1, end: 2 }))
    expect(textsOf(surface.messages())).toEqual(['m0', 'm3'])
  })

  test.each<[number, number, string]>([
    [5, 2, '"surfaceOp" replaces from 5, which is not in the conversation'],
    [0, 1, '"surfaceOp" replaces up to 1, which is not in the conversation'],
    [2, 0, '"surfaceOp" replaces from 2 back to 0'],
  ])('finds fault with the range %d to %d', (start, end, expected) => {
    expect(surfaceOf(user(0), user(2)).problem({ op: 'replace', start, end })).toBe(expected)
  })

  test('finds no fault with what is appended or off the surface', () => {
    expect(new Surface().problem('append')).toBeUndefined()
    expect(new Surface().problem(undefined)).toBeUndefined()
  })

  test('agrees with a list that is edited by position (property, seed printed on failure)', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 30 }), (ranges) => {
        const surface = new Surface()
        let model: number[] = []
        for (const [seq, [a, b]] of ranges.entries()) {
          const [from = 0, to = 0] = [a % (model.length + 1), b % (model.length + 1)].sort(
            (x, y) => x - y,
          )
          const [start, end] = [model[from], model[to]]
          if (start === undefined || end === undefined) {
            surface.apply(user(seq))
            model = [...model, seq]
          } else {
            surface.apply(user(seq, { op: 'replace', start, end }))
            model = [...model.slice(0, from), seq, ...model.slice(to + 1)]
          }
          expect(textsOf(surface.messages())).toEqual(model.map((each) => `m${each}`))
        }
      }),
      { numRuns: 100 },
    )
  })
})
