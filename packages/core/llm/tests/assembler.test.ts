import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AssistantBlock, Assembler, type StreamChunk } from '../src/index.ts'

function assemble(chunks: readonly StreamChunk[]) {
  const assembler = new Assembler()
  for (const chunk of chunks) assembler.push(chunk)
  return assembler.result()
}
const text = (index: number, text: string): StreamChunk => ({ type: 'text-delta', index, text })
const reasoning = (index: number, text: string): StreamChunk => ({
  type: 'reasoning-delta',
  index,
  text,
})
const call = (index: number, argumentsDelta: string, name?: string): StreamChunk => ({
  type: 'tool-call-delta',
  index,
  id: `c${index}`,
  ...(name !== undefined && { name }),
  argumentsDelta,
})
const end = (index: number, block: AssistantBlock): StreamChunk => ({
  type: 'block-end',
  index,
  block,
})

describe('an answer without block-ends', () => {
  test('is put together from its deltas', () => {
    const answer = assemble([
      reasoning(0, 'be'),
      reasoning(0, 'cause'),
      text(1, 'Hel'),
      call(2, '', 'bash'),
      call(2, '{"a"', 'bash'),
      text(1, 'lo'),
      call(2, ':1}', 'bash'),
    ])
    expect(JSON.stringify(answer)).toBe(
      JSON.stringify({
        content: [
          { type: 'reasoning', text: 'because' },
          { type: 'text', text: 'Hello' },
          { type: 'tool-call', id: 'c2', name: 'bash', arguments: '{"a":1}' },
        ],
        finish: { kind: 'stop' },
      }),
    )
  })

  test('takes the first name that is not empty', () => {
    expect(
      assemble([call(0, 'a'), call(0, 'b', ''), call(0, 'c', 'x'), call(0, 'd', 'y')]),
    ).toEqual({
      content: [{ type: 'tool-call', id: 'c0', name: 'x', arguments: 'abcd' }],
      finish: { kind: 'stop' },
    })
  })

  test('a call that is never named has an empty name', () => {
    expect(assemble([call(0, '{}'), call(0, ' ')]).content).toEqual([
      { type: 'tool-call', id: 'c0', name: '', arguments: '{} ' },
    ])
  })

  test('keeps the id of the first delta', () => {
    const second: StreamChunk = { type: 'tool-call-delta', index: 0, id: 'z', argumentsDelta: 'b' }
    expect(assemble([call(0, 'a', 'n'), second]).content).toEqual([
      { type: 'tool-call', id: 'c0', name: 'n', arguments: 'ab' },
    ])
  })
})

test('blocks come in ascending index, however they arrived', () => {
  const answer = assemble([
    text(10, 'last'),
    end(2, { type: 'text', text: 'middle' }),
    reasoning(0, 'first'),
  ])
  expect(answer.content.map((block) => 'text' in block && block.text)).toEqual([
    'first',
    'middle',
    'last',
  ])
})

describe('block-end', () => {
  test('is authoritative over the deltas of its index', () => {
    const block = { type: 'text', text: 'whole' } as const
    expect(assemble([text(0, 'par'), end(0, block)]).content[0]).toBe(block)
  })

  test('the first of an index wins and later deltas of any kind are ignored', () => {
    const answer = assemble([
      end(0, { type: 'text', text: 'first' }),
      end(0, { type: 'text', text: 'second' }),
      text(0, 'third'),
      reasoning(0, 'fourth'),
      call(0, 'fifth', 'n'),
    ])
    expect(answer.content).toEqual([{ type: 'text', text: 'first' }])
  })
})

test('a block-start alone makes no block', () => {
  expect(assemble([{ type: 'block-start', index: 0, blockType: 'text' }]).content).toEqual([])
})

test('usage and finish: the last ones count', () => {
  const answer = assemble([
    { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } },
    { type: 'usage', usage: { inputTokens: 2, outputTokens: 3 } },
    { type: 'finish', reason: { kind: 'max-tokens' } },
  ])
  expect(answer).toEqual({
    content: [],
    usage: { inputTokens: 2, outputTokens: 3 },
    finish: { kind: 'max-tokens' },
  })
  expect('usage' in assemble([])).toBe(false)
})

test('what was returned does not change with later chunks', () => {
  const assembler = new Assembler()
  assembler.push(text(0, 'a'))
  const before = assembler.result()
  assembler.push(text(0, 'b'))
  expect(before.content).toEqual([{ type: 'text', text: 'a' }])
  expect(assembler.result().content).toEqual([{ type: 'text', text: 'ab' }])
})

test.each([
  ['text', 'reasoning', [text(3, 'a'), reasoning(3, 'b')]],
  ['reasoning', 'text', [reasoning(3, 'a'), text(3, 'b')]],
  ['tool-call', 'text', [call(3, 'a'), text(3, 'b')]],
  ['text', 'tool-call', [text(3, 'a'), call(3, 'b')]],
] as const)('an index that turns from %s to %s is refused', (began, went, chunks) => {
  expect(() => assemble(chunks)).toThrow(
    expect.objectContaining({
      code: 'MALFORMED_RESPONSE',
      message: `block 3 of the stream began as ${began} and went on as ${went}; blocks must not share an index`,
    }),
  )
})

test('however a text is cut, the block is the same', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), fc.nat(20), (pieces, index) => {
      const deltas = pieces.map((piece) => text(index, piece))
      const whole = { type: 'text' as const, text: pieces.join('') }
      expect(assemble(deltas).content).toEqual([whole])
      expect(assemble([...deltas, end(index, whole)]).content).toEqual([whole])
    }),
  )
})
