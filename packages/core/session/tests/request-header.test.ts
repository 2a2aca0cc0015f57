import type { ToolSchema } from 'dsh-llm'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyRequestHeaderDelta, diffRequestHeader, type RequestHeader } from '../src/index.ts'
import { errorOf } from './support.ts'

const tool = (name: string, description = ''): ToolSchema => ({ name, description, parameters: {} })
const config = { model: 'm' }
const header = (rest: Partial<RequestHeader>): RequestHeader => ({ config, ...rest })

describe('diffRequestHeader', () => {
  test('is empty between equals', () => {
    const same = header({ system: 's', tools: [tool('a')], messagePrefix: [] })
    expect(diffRequestHeader(same, structuredClone(same))).toEqual({})
  })

  test.each<[string | undefined, string, object]>([
    ['a\nb\nc', 'a\nX\nc', { keepStart: 1, keepEnd: 1, insert: ['X'] }],
    ['a\nb', 'a\nb\nc', { keepStart: 2, keepEnd: 0, insert: ['c'] }],
    ['b\nc', 'a\nb\nc', { keepStart: 0, keepEnd: 2, insert: ['a'] }],
    ['a\na\na', 'a\na', { keepStart: 2, keepEnd: 0, insert: [] }],
    ['a', 'b', { keepStart: 0, keepEnd: 0, insert: ['b'] }],
    [undefined, 'a\nb', { keepStart: 0, keepEnd: 0, insert: ['a', 'b'] }],
    [undefined, '', { keepStart: 0, keepEnd: 0, insert: [''] }],
  ])('trims the lines of %j and %j', (before, after, system) => {
    const prev = before === undefined ? header({}) : header({ system: before })
    const delta = diffRequestHeader(prev, header({ system: after }))
    expect(delta).toEqual({ system })
    expect(applyRequestHeaderDelta(prev, delta)).toEqual(header({ system: after }))
  })

  test('keys tools by name', () => {
    const prev = header({ tools: [tool('a'), tool('b'), tool('d')] })
    const next = header({ tools: [tool('b', 'new'), tool('c'), tool('d'), tool('e')] })
    const delta = diffRequestHeader(prev, next)
    expect(JSON.stringify(delta)).toBe(
      JSON.stringify({
        tools: { added: [tool('c'), tool('e')], removed: ['a'], changed: [tool('b', 'new')] },
      }),
    )
    expect(applyRequestHeaderDelta(prev, delta)).toEqual(next)
  })

  test('tells no tools from an empty list', () => {
    const delta = diffRequestHeader(header({}), header({ tools: [] }))
    expect(delta).toEqual({ tools: { added: [], removed: [], changed: [] } })
    expect(applyRequestHeaderDelta(header({}), delta)).toEqual(header({ tools: [] }))
  })

  test('gives config and prefix whole', () => {
    const messagePrefix = [{ role: 'user', content: [] }] as const
    const next: RequestHeader = { config: { model: 'n', temperature: 0 }, messagePrefix }
    const delta = diffRequestHeader(header({}), next)
    expect(delta).toEqual({ config: next.config, messagePrefix })
    expect(applyRequestHeaderDelta(header({}), delta)).toEqual(next)
  })

  test.each<[Partial<RequestHeader>, Partial<RequestHeader>]>([
    [{ system: 's' }, {}],
    [{ tools: [] }, {}],
    [{ messagePrefix: [] }, {}],
    [{ tools: [tool('a'), tool('b')] }, { tools: [tool('b'), tool('a')] }],
  ])('what cannot be said from %j to %j does not round-trip', (before, after) => {
    const delta = diffRequestHeader(header(before), header(after))
    expect(applyRequestHeaderDelta(header(before), delta)).not.toEqual(header(after))
  })
})

describe('applyRequestHeaderDelta', () => {
  test('writes the keys in the order of the format', () => {
    const prev = header({ messagePrefix: [], tools: [], system: 's' })
    expect(Object.keys(applyRequestHeaderDelta(prev, {}))).toEqual([
      'config',
      'system',
      'tools',
      'messagePrefix',
    ])
    expect(Object.keys(applyRequestHeaderDelta(header({}), {}))).toEqual(['config'])
  })

  test('refuses to keep more lines than there are', () => {
    const system = { keepStart: 2, keepEnd: 1, insert: [] }
    const error = errorOf(() => applyRequestHeaderDelta(header({ system: 'a\nb' }), { system }))
    expect(error).toMatchObject({
      code: 'INVALID_EVENT',
      message: 'a request/header-delta keeps 2 + 1 lines of a system prompt of 2',
    })
  })

  test('brings every sorted header back (property, seed printed on failure)', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', ''), { maxLength: 6 })
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'))
    const side = fc.record({ lines, names, salt: fc.nat(1), model: fc.constantFrom('m', 'n') })
    type Side = { lines: string[]; names: string[]; salt: number; model: string }
    const build = ({ lines, names, salt, model }: Side) => ({
      config: { model },
      system: lines.join('\n'),
      tools: names.sort().map((name) => tool(name, name === 'c' ? String(salt) : '')),
    })
    fc.assert(
      fc.property(side, side, (a, b) => {
        const [prev, next] = [build(a), build(b)]
        const round = applyRequestHeaderDelta(prev, diffRequestHeader(prev, next))
        expect(JSON.stringify(round)).toBe(JSON.stringify(next))
      }),
      { numRuns: 200 },
    )
  })
})
