import { Assembler, type StreamChunk } from 'dsh-llm'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redactor } from '../src/text.ts'
import { toUsage, Translator } from '../src/translate.ts'
import type { WireChunk, WireDelta } from '../src/wire.ts'

const wire = (delta: WireDelta, finish_reason?: string): WireChunk => ({
  choices: [{ index: 0, delta, finish_reason }],
})
const toolCall = (index: number, rest: { id?: string; name?: string; arguments?: string }) => {
  const { id, ...fn } = rest
  return { tool_calls: [{ index, id, function: fn }] }
}
function translate(...chunks: WireChunk[]): StreamChunk[] {
  const translator = new Translator(redactor('sk-secret'))
  return [...chunks.flatMap((chunk) => translator.push(chunk)), ...translator.end()]
}
const stop = wire({}, 'stop')
const finishOf = (...chunks: WireChunk[]) => translate(...chunks).at(-1)

test('a whole answer: starts and deltas as they come, then ends, usage and finish', () => {
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 20,
    prompt_cache_hit_tokens: 64,
    completion_tokens_details: { reasoning_tokens: 5 },
  }
  const chunks = translate(
    wire({ content: null, reasoning_content: '' }),
    wire({ reasoning_content: 'Let' }),
    wire({ reasoning_content: ' me' }),
    wire({ content: 'Hi' }),
    wire(toolCall(0, { id: 'c0', name: 'bash', arguments: '' })),
    wire(toolCall(0, { arguments: '{"a"' })),
    wire(toolCall(1, { id: 'c1', name: 'read', arguments: '' })),
    wire(toolCall(0, { arguments: ':1}' })),
    wire(toolCall(1, { arguments: '{}' })),
    wire({ content: '' }, 'tool_calls'),
    { choices: [], usage },
  )
  expect(chunks.map((chunk) => JSON.stringify(chunk))).toEqual([
    '{"type":"block-start","index":0,"blockType":"reasoning"}',
    '{"type":"reasoning-delta","index":0,"text":"Let"}',
    '{"type":"reasoning-delta","index":0,"text":" me"}',
    '{"type":"block-start","index":1,"blockType":"text"}',
    '{"type":"text-delta","index":1,"text":"Hi"}',
    '{"type":"block-start","index":2,"blockType":"tool-call"}',
    '{"type":"tool-call-delta","index":2,"id":"c0","name":"bash","argumentsDelta":""}',
    '{"type":"tool-call-delta","index":2,"id":"c0","name":"bash","argumentsDelta":"{\\"a\\""}',
    '{"type":"block-start","index":3,"blockType":"tool-call"}',
    '{"type":"tool-call-delta","index":3,"id":"c1","name":"read","argumentsDelta":""}',
    '{"type":"tool-call-delta","index":2,"id":"c0","name":"bash","argumentsDelta":":1}"}',
    '{"type":"tool-call-delta","index":3,"id":"c1","name":"read","argumentsDelta":"{}"}',
    '{"type":"block-end","index":0,"block":{"type":"reasoning","text":"Let me"}}',
    '{"type":"block-end","index":1,"block":{"type":"text","text":"Hi"}}',
    '{"type":"block-end","index":2,"block":{"type":"tool-call","id":"c0","name":"bash","arguments":"{\\"a\\":1}"}}',
    '{"type":"block-end","index":3,"block":{"type":"tool-call","id":"c1","name":"read","arguments":"{}"}}',
    '{"type":"usage","usage":{"inputTokens":36,"outputTokens":20,"cacheReadTokens":64,"reasoningTokens":5}}',
    '{"type":"finish","reason":{"kind":"tool-calls"}}',
  ])
})

describe('blocks', () => {
  test('one event may hold all kinds: reasoning, then text, then calls', () => {
    const chunks = translate(
      wire({
        content: 't',
        reasoning_content: 'r',
        ...toolCall(0, { id: 'c', name: 'n', arguments: '{}' }),
      }),
      stop,
    )
    expect(chunks.filter(({ type }) => type === 'block-start')).toEqual([
      { type: 'block-start', index: 0, blockType: 'reasoning' },
      { type: 'block-start', index: 1, blockType: 'text' },
      { type: 'block-start', index: 2, blockType: 'tool-call' },
    ])
  })

  test('text that goes on after something else stays in its block', () => {
    const chunks = translate(
      wire({ content: 'a' }),
      wire({ reasoning_content: 'x' }),
      wire({ content: 'b' }),
      wire({ reasoning_content: 'y' }),
      stop,
    )
    expect(chunks.filter(({ type }) => type === 'block-end')).toEqual([
      { type: 'block-end', index: 0, block: { type: 'text', text: 'ab' } },
      { type: 'block-end', index: 1, block: { type: 'reasoning', text: 'xy' } },
    ])
  })

  test('wire indices of calls need not begin at 0 or come in order', () => {
    const chunks = translate(
      wire(toolCall(7, { id: 'c7', name: 'n' })),
      wire(toolCall(2, { id: 'c2', name: 'n' })),
      stop,
    )
    expect(chunks.filter(({ type }) => type === 'block-end')).toEqual([
      {
        type: 'block-end',
        index: 0,
        block: { type: 'tool-call', id: 'c7', name: 'n', arguments: '' },
      },
      {
        type: 'block-end',
        index: 1,
        block: { type: 'tool-call', id: 'c2', name: 'n', arguments: '' },
      },
    ])
  })

  test('a call keeps its first id and its first name', () => {
    const chunks = translate(
      wire(toolCall(0, { id: 'c', arguments: 'a' })),
      wire(toolCall(0, { id: 'other', name: 'n', arguments: 'b' })),
      wire(toolCall(0, { name: 'm', arguments: 'c' })),
      stop,
    )
    expect(chunks.slice(1, 5)).toEqual([
      { type: 'tool-call-delta', index: 0, id: 'c', argumentsDelta: 'a' },
      { type: 'tool-call-delta', index: 0, id: 'c', name: 'n', argumentsDelta: 'b' },
      { type: 'tool-call-delta', index: 0, id: 'c', name: 'n', argumentsDelta: 'c' },
      {
        type: 'block-end',
        index: 0,
        block: { type: 'tool-call', id: 'c', name: 'n', arguments: 'abc' },
      },
    ])
  })

  test('a call without a function part adds nothing', () => {
    const chunks = translate(
      wire(toolCall(0, { id: 'c', name: 'n', arguments: '{}' })),
      wire({ tool_calls: [{ index: 0 }] }),
      stop,
    )
    expect(chunks[2]).toEqual({
      type: 'tool-call-delta',
      index: 0,
      id: 'c',
      name: 'n',
      argumentsDelta: '',
    })
  })

  test.each([undefined, ''])('a call that begins with the id %j is malformed', (id) => {
    expect(() => translate(wire(toolCall(3, { ...(id === '' && { id }), name: 'n' })))).toThrow(
      expect.objectContaining({
        code: 'MALFORMED_RESPONSE',
        message: 'the provider began tool call 3 without an id',
      }),
    )
  })

  test('a call that is never named is malformed', () => {
    const id = `sk-secret${'i'.repeat(200)}`
    expect(() => translate(wire(toolCall(0, { id })), stop)).toThrow(
      expect.objectContaining({
        code: 'MALFORMED_RESPONSE',
        message: `the provider never named the tool call "***${'i'.repeat(97)}…"`,
      }),
    )
  })

  test('other choices than the first are ignored; a missing index is the first', () => {
    const chunks = translate(
      { choices: [{ index: 1, delta: { content: 'no' }, finish_reason: 'length' }] },
      { choices: [{ delta: { content: 'yes' } }] },
      { choices: [{ finish_reason: 'stop' }] },
    )
    expect(chunks[1]).toEqual({ type: 'text-delta', index: 0, text: 'yes' })
    expect(chunks.at(-1)).toEqual({ type: 'finish', reason: { kind: 'stop' } })
  })
})

describe('usage', () => {
  test('is left out where the provider sends none', () => {
    expect(translate(wire({ content: 'a' }), stop).some(({ type }) => type === 'usage')).toBe(false)
  })

  test('the last one counts, and a later null does not take it away', () => {
    const chunks = translate(
      { ...wire({ content: 'a' }), usage: { prompt_tokens: 1, completion_tokens: 1 } },
      { ...stop, usage: { prompt_tokens: 2, completion_tokens: 3 } },
      { choices: null, usage: null },
    )
    expect(chunks.at(-2)).toEqual({ type: 'usage', usage: { inputTokens: 2, outputTokens: 3 } })
  })

  const base = { prompt_tokens: 10, completion_tokens: 4 }
  test.each([
    [base, { inputTokens: 10, outputTokens: 4 }],
    [
      { ...base, prompt_cache_hit_tokens: 0 },
      { inputTokens: 10, outputTokens: 4, cacheReadTokens: 0 },
    ],
    [
      { ...base, prompt_tokens_details: { cached_tokens: 3 } },
      { inputTokens: 7, outputTokens: 4, cacheReadTokens: 3 },
    ],
    [
      { ...base, prompt_cache_hit_tokens: 2, prompt_tokens_details: { cached_tokens: 3 } },
      { inputTokens: 8, outputTokens: 4, cacheReadTokens: 2 },
    ],
    [
      { ...base, prompt_cache_hit_tokens: 11 },
      { inputTokens: 0, outputTokens: 4, cacheReadTokens: 11 },
    ],
    [
      { ...base, completion_tokens_details: { reasoning_tokens: 0 } },
      { inputTokens: 10, outputTokens: 4, reasoningTokens: 0 },
    ],
    [
      { ...base, prompt_tokens_details: null, completion_tokens_details: null },
      { inputTokens: 10, outputTokens: 4 },
    ],
    [
      {
        ...base,
        prompt_cache_hit_tokens: null,
        prompt_tokens_details: { cached_tokens: null },
        completion_tokens_details: { reasoning_tokens: null },
      },
      { inputTokens: 10, outputTokens: 4 },
    ],
  ])('%j', (given, expected) => {
    expect(toUsage(given)).toEqual(expected)
  })
})

describe('finish', () => {
  const text = wire({ content: 'a' })
  test.each([
    ['stop', { kind: 'stop' }],
    ['tool_calls', { kind: 'tool-calls' }],
    ['length', { kind: 'max-tokens' }],
    [
      'content_filter',
      {
        kind: 'error',
        message: 'the provider ended the answer with finish_reason "content_filter"',
        code: 'FINISH_REASON',
      },
    ],
    [
      `sk-secret ${'q'.repeat(200)}`,
      {
        kind: 'error',
        message: `the provider ended the answer with finish_reason "*** ${'q'.repeat(96)}…"`,
        code: 'FINISH_REASON',
      },
    ],
  ])('%s', (reason, expected) => {
    expect(finishOf(text, wire({}, reason))).toEqual({ type: 'finish', reason: expected })
  })

  test.each(['stop', 'tool_calls'])('%s without any content is an error, after usage', (reason) => {
    const usage = { prompt_tokens: 1, completion_tokens: 0 }
    expect(translate({ ...wire({}, reason), usage })).toEqual([
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 0 } },
      {
        type: 'finish',
        reason: {
          kind: 'error',
          message: 'the model completed its answer without any content',
          code: 'EMPTY_RESPONSE',
        },
      },
    ])
  })

  test('length without any content stays max-tokens', () => {
    expect(finishOf(wire({}, 'length'))).toEqual({ type: 'finish', reason: { kind: 'max-tokens' } })
  })

  test('without one, the answer is malformed', () => {
    expect(() => translate(text)).toThrow(
      expect.objectContaining({
        code: 'MALFORMED_RESPONSE',
        message: 'the provider sent [DONE] without a finish_reason',
      }),
    )
  })

  test('a stream without any choice is no answer', () => {
    expect(() => translate({ choices: [], usage: null }, {})).toThrow(
      expect.objectContaining({
        code: 'EMPTY_RESPONSE',
        message: 'the provider ended the stream without an answer',
      }),
    )
  })
})

test('for any mix of deltas: the grammar holds, and the ends say what the deltas said', () => {
  const delta = fc.oneof(
    fc.record({ content: fc.string() }),
    fc.record({ reasoning_content: fc.string() }),
    fc
      .tuple(fc.nat(3), fc.string())
      .map(([index, piece]) => toolCall(index, { id: `c${index}`, name: 'n', arguments: piece })),
  )
  fc.assert(
    fc.property(fc.array(delta, { minLength: 1 }), (deltas) => {
      const chunks = translate(...deltas.map((part) => wire(part)), stop)
      const withoutEnds = new Assembler()
      const withEnds = new Assembler()
      const started: number[] = []
      const ended: number[] = []
      for (const chunk of chunks) {
        if (chunk.type === 'block-start') started.push(chunk.index)
        else if (chunk.type === 'block-end') ended.push(chunk.index)
        else if ('index' in chunk) expect(started).toContain(chunk.index)
        if (ended.length > 0) expect(['block-end', 'finish']).toContain(chunk.type)
        withEnds.push(chunk)
        if (chunk.type !== 'block-end') withoutEnds.push(chunk)
      }
      expect(started).toEqual(started.map((_, position) => position))
      expect(ended).toEqual(started)
      expect(withEnds.result()).toEqual(withoutEnds.result())
    }),
  )
})
