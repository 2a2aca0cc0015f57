import type { ContentBlock, GenerateOptions, Message } from 'dsh-llm'
import { describe, expect, test } from 'vitest'
import { buildRequest } from '../src/request.ts'

const request = (options: Partial<GenerateOptions> = {}) =>
  buildRequest({ model: 'm', messages: [], ...options })
const messages = (...given: Message[]) => request({ messages: given }).messages
const text = (value: string): ContentBlock => ({ type: 'text', text: value })
const call: ContentBlock = { type: 'tool-call', id: 'c1', name: 'bash', arguments: '{"a":1}' }
const result = (...content: ContentBlock[]): ContentBlock => ({
  type: 'tool-result',
  toolCallId: 'c1',
  content,
})

test('the smallest request holds nothing that was not set', () => {
  expect(JSON.stringify(request())).toBe(
    '{"model":"m","messages":[],"stream":true,"stream_options":{"include_usage":true}}',
  )
})

test('empty lists are not sent', () => {
  expect(request({ tools: [], stop: [] })).toEqual(request())
})

test('everything that is set is sent, system first', () => {
  const parameters = { type: 'object', properties: {} }
  const full = request({
    system: 'be brief',
    messages: [{ role: 'user', content: [text('hi')] }],
    tools: [
      { name: 'a', description: 'does a', parameters },
      { name: 'b', description: 'does b', parameters },
    ],
    temperature: 0,
    maxTokens: 100,
    stop: ['END'],
    purpose: 'title',
    signal: new AbortController().signal,
  })
  expect(JSON.stringify(full)).toBe(
    JSON.stringify({
      model: 'm',
      messages: [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: 'hi' },
      ],
      stream: true,
      stream_options: { include_usage: true },
      tools: [
        { type: 'function', function: { name: 'a', description: 'does a', parameters } },
        { type: 'function', function: { name: 'b', description: 'does b', parameters } },
      ],
      temperature: 0,
      max_tokens: 100,
      stop: ['END'],
    }),
  )
})

describe('user and system messages', () => {
  test('blocks are separate texts', () => {
    expect(
      messages(
        { role: 'system', content: [text('s1'), text('s2')] },
        { role: 'user', content: [text('u1'), text('u2')] },
      ),
    ).toEqual([
      { role: 'system', content: 's1\ns2' },
      { role: 'user', content: 'u1\nu2' },
    ])
  })

  test('an empty prompt is sent as it is', () => {
    expect(messages({ role: 'user', content: [] })).toEqual([{ role: 'user', content: '' }])
  })

  test('tool results become messages of the role tool', () => {
    expect(messages({ role: 'user', content: [result(text('out'), text('more'))] })).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: 'out\nmore' },
    ])
  })

  test.each([[[]], [[text('')]]])('a result without text says so', (content) => {
    expect(messages({ role: 'user', content: [result(...content)] })).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: '(no output)' },
    ])
  })

  test('results go before the text of their message', () => {
    expect(messages({ role: 'user', content: [text('note'), result(text('out'))] })).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: 'out' },
      { role: 'user', content: 'note' },
    ])
  })
})

describe('assistant messages', () => {
  const assistant = (...content: ContentBlock[]) => messages({ role: 'assistant', content })

  test('text is put together as it was streamed', () => {
    expect(assistant(text('a'), text('b'))).toEqual([{ role: 'assistant', content: 'ab' }])
  })

  test('reasoning stays only with tool calls', () => {
    const reasoning: ContentBlock = { type: 'reasoning', text: 'why' }
    expect(assistant(reasoning, text('a'))).toEqual([{ role: 'assistant', content: 'a' }])
    expect(JSON.stringify(assistant(reasoning, reasoning, text('a'), call))).toBe(
      JSON.stringify([
        {
          role: 'assistant',
          content: 'a',
          reasoning_content: 'whywhy',
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'bash', arguments: '{"a":1}' } },
          ],
        },
      ]),
    )
  })

  test('calls alone have no content, and empty arguments are an empty object', () => {
    expect(assistant({ ...call, arguments: '' })).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'bash', arguments: '{}' } }],
      },
    ])
  })

  test('arguments that do not parse go back as the model wrote them', () => {
    expect(assistant({ ...call, arguments: '{"a' })).toMatchObject([
      { tool_calls: [{ function: { arguments: '{"a' } }] },
    ])
  })

  test('a message of reasoning alone is not sent', () => {
    expect(assistant({ type: 'reasoning', text: 'why' })).toEqual([])
    expect(assistant()).toEqual([])
  })
})

test.each([
  ['tool-call', 'a user message', { role: 'user', content: [call] }],
  ['reasoning', 'a user message', { role: 'user', content: [{ type: 'reasoning', text: 'r' }] }],
  ['tool-call', 'a tool result', { role: 'user', content: [result(call)] }],
  ['tool-call', 'a system message', { role: 'system', content: [call] }],
  ['tool-result', 'an assistant message', { role: 'assistant', content: [result()] }],
] as [string, string, Message][])('a %s block in %s is refused', (type, where, message) => {
  expect(() => messages(message)).toThrow(
    expect.objectContaining({
      code: 'INVALID_REQUEST',
      message: `a ${type} block cannot be sent in ${where}; check what made the request`,
    }),
  )
})
