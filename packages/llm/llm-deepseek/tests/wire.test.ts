import { describe, expect, test } from 'vitest'
import { redactor } from '../src/text.ts'
import { parseWireChunk } from '../src/wire.ts'

const redact = redactor('sk-secret')
const parse = (data: unknown) =>
  parseWireChunk(typeof data === 'string' ? data : JSON.stringify(data), redact)

test('keeps what is read and drops the rest', () => {
  const chunk = {
    choices: [
      {
        index: 0,
        delta: {
          content: 'a',
          reasoning_content: 'b',
          tool_calls: [{ index: 1, id: 'c', function: { name: 'n', arguments: '{}' } }],
        },
        finish_reason: 'stop',
      },
    ],
    usage: {
      prompt_tokens: 1,
      completion_tokens: 2,
      prompt_cache_hit_tokens: 3,
      prompt_tokens_details: { cached_tokens: 3 },
      completion_tokens_details: { reasoning_tokens: 4 },
    },
  }
  expect(parse({ id: 'x', object: 'chat.completion.chunk', ...chunk })).toEqual(chunk)
})

test('absent and null parts are the same', () => {
  expect(parse({})).toEqual({})
  const nothing = {
    choices: [
      {
        index: null,
        delta: {
          content: null,
          reasoning_content: null,
          tool_calls: [{ index: 0, id: null, function: null }],
        },
        finish_reason: null,
      },
      { delta: null },
      { delta: { tool_calls: null } },
      { delta: { tool_calls: [{ index: 0, function: { name: null, arguments: null } }] } },
    ],
    usage: null,
    error: null,
  }
  const { error: _, ...expected } = nothing
  expect(parse(nothing)).toEqual(expected)
  const usage = { prompt_tokens: 0, completion_tokens: 0, prompt_cache_hit_tokens: null }
  expect(parse({ choices: null, usage })).toEqual({ choices: null, usage })
})

describe('malformed events', () => {
  test('that are not JSON are quoted, bounded and without the key', () => {
    expect(() => parse(`{"cut sk-secret ${'x'.repeat(500)}`)).toThrow(
      expect.objectContaining({
        code: 'MALFORMED_RESPONSE',
        message: `the provider sent an event that is not JSON: {"cut *** ${'x'.repeat(190)}…`,
      }),
    )
  })

  test('do not carry the key in a cause either', () => {
    const error = (() => {
      try {
        return parse('sk-secret')
      } catch (thrown) {
        return thrown
      }
    })()
    expect((error as Error).cause).toBeUndefined()
  })

  test.each([
    ['5', 'its top'],
    ['{"choices":{}}', 'choices'],
    ['{"choices":[{"index":"0"}]}', 'choices.0.index'],
    ['{"choices":[{"delta":{"content":5}}]}', 'choices.0.delta.content'],
    ['{"choices":[{"delta":{"reasoning_content":[]}}]}', 'choices.0.delta.reasoning_content'],
    ['{"choices":[{"delta":{"tool_calls":[{}]}}]}', 'choices.0.delta.tool_calls.0.index'],
    ['{"choices":[{"finish_reason":1}]}', 'choices.0.finish_reason'],
    ['{"usage":{"prompt_tokens":1}}', 'usage.completion_tokens'],
    ['{"usage":{"prompt_tokens":-1,"completion_tokens":0}}', 'usage.prompt_tokens'],
  ])('%s is refused, naming %s', (data, path) => {
    expect(() => parse(data)).toThrow(
      expect.objectContaining({
        code: 'MALFORMED_RESPONSE',
        message: `the provider sent an event that is not a completion chunk (at ${path}): ${data}`,
      }),
    )
  })
})

test('an event that reports an error is that error', () => {
  expect(() =>
    parse({ choices: [], error: { message: 'overloaded sk-secret', code: 503 } }),
  ).toThrow(
    expect.objectContaining({
      code: 'SERVER',
      status: 503,
      message: 'the provider reported an error in its stream: overloaded ***',
    }),
  )
})
