import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ScriptedCall, StreamAnswer } from '../../src/index.ts'
import { countEvents, type Envelope, renderEvents } from '../../src/render/events.ts'
import { prepareRules } from '../../src/script/prepare.ts'
import type { ReadyStream } from '../../src/script/ready.ts'
import { answers, whole } from '../answers.ts'
import { join } from '../client.ts'

const envelope: Envelope = {
  id: 'wire-1',
  created: 1_700_000_000,
  model: 'deepseek-chat',
  includeUsage: false,
  callId: (position) => `call_${position}`,
}
const withUsage = { ...envelope, includeUsage: true }

function ready(answer: StreamAnswer): ReadyStream {
  const [rule] = prepareRules({ rules: [{ when: {}, answer }] }, undefined, 'test')
  return rule?.answer as ReadyStream & { kind: 'stream' }
}

const deltas = (answer: StreamAnswer): unknown[] =>
  renderEvents(ready(answer), envelope).map(
    (event) => (JSON.parse(event) as { choices: { delta: unknown }[] }).choices[0]?.delta,
  )

describe('an event', () => {
  test('has the keys of the provider, in its order', () => {
    const [opening, text, finish] = renderEvents(ready({ text: 'Hi' }), envelope)
    const head =
      '{"id":"wire-1","object":"chat.completion.chunk","created":1700000000,' +
      '"model":"deepseek-chat","system_fingerprint":"fp_wire","choices":[{"index":0,"delta":'
    expect(opening).toBe(
      `${head}{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}]}`,
    )
    expect(text).toBe(`${head}{"content":"Hi"},"logprobs":null,"finish_reason":null}]}`)
    expect(finish).toBe(`${head}{"content":""},"logprobs":null,"finish_reason":"stop"}]}`)
  })

  test('carries both texts where the answer reasons', () => {
    expect(deltas({ reasoning: ['a', 'b'], text: 'c' })).toEqual([
      { role: 'assistant', content: null, reasoning_content: '' },
      { content: null, reasoning_content: 'a' },
      { content: null, reasoning_content: 'b' },
      { content: 'c', reasoning_content: null },
      { content: '', reasoning_content: null },
    ])
  })

  test('opens a tool call with its id and name, and goes on with pieces by index', () => {
    const toolCalls: ScriptedCall[] = [
      { name: 'bash', arguments: ['{', '', '}'] },
      { id: 'own', name: 'read' },
    ]
    expect(deltas({ toolCalls }).slice(1, -1)).toEqual([
      {
        tool_calls: [
          { index: 0, id: 'call_0', type: 'function', function: { name: 'bash', arguments: '' } },
        ],
      },
      { tool_calls: [{ index: 0, function: { arguments: '{' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '}' } }] },
      {
        tool_calls: [
          { index: 1, id: 'own', type: 'function', function: { name: 'read', arguments: '' } },
        ],
      },
    ])
  })
})

describe('usage', () => {
  const usage = { prompt: 100, cached: 64, completion: 20, reasoning: 5 }
  const tails = (answer: StreamAnswer, by = withUsage): unknown[] =>
    renderEvents(ready(answer), by).map((event) => (JSON.parse(event) as { usage?: unknown }).usage)

  test('is on the finish event, null on the others', () => {
    const full = {
      prompt_tokens: 100,
      completion_tokens: 20,
      total_tokens: 120,
      prompt_tokens_details: { cached_tokens: 64 },
      completion_tokens_details: { reasoning_tokens: 5 },
      prompt_cache_hit_tokens: 64,
      prompt_cache_miss_tokens: 36,
    }
    expect(tails({ usage })).toEqual([null, full])
    expect(tails({ usage, usageOn: 'finish' })).toEqual([null, full])
    expect(tails({ usage, usageOn: 'own' })).toEqual([null, null, full])
    const own = renderEvents(ready({ usage, usageOn: 'own' }), withUsage).at(-1)
    expect(JSON.parse(String(own))).toMatchObject({ choices: [] })
  })

  test('leaves out what the script leaves out', () => {
    expect(tails({ usage: { prompt: 3, completion: 1 } })).toEqual([
      null,
      {
        prompt_tokens: 3,
        completion_tokens: 1,
        total_tokens: 4,
        prompt_tokens_details: { cached_tokens: 0 },
        prompt_cache_hit_tokens: 0,
        prompt_cache_miss_tokens: 3,
      },
    ])
    expect(tails({})).toEqual([null, null])
    expect(tails({ usage, usageOn: 'own' }, envelope)).toEqual([undefined, undefined])
  })
})

test('any answer, cut in any way, joins back to the same answer', () => {
  fc.assert(
    fc.property(answers, (answer) => {
      const events = renderEvents(ready(answer), envelope)
      expect(events).toHaveLength(countEvents(ready(answer)))
      const joined = join(events)
      expect(joined.reasoning).toBe(whole(answer.reasoning))
      expect(joined.text).toBe(whole(answer.text))
      expect(joined.calls).toEqual(
        (answer.toolCalls ?? []).map((call, index) => ({
          id: `call_${index}`,
          name: call.name,
          arguments: whole(call.arguments),
        })),
      )
      expect(joined.finish).toBe(answer.toolCalls ? 'tool_calls' : 'stop')
    }),
  )
})
