import { expect, it } from 'vitest'
import { createNormaliser } from '../../src/normalise/normaliser.ts'

const S = '00000000-aaaa-4aaa-8aaa-000000000000'
const S2 = '11111111-aaaa-4aaa-8aaa-111111111111'
const U = '22222222-bbbb-4bbb-8bbb-222222222222'

const stdout = (...messages: unknown[]) =>
  createNormaliser({ sessionIds: [S, S2], cwdAliases: ['/tmp/x'] })
    .stdout(messages.map((message) => JSON.stringify(message)))
    .map((line) => JSON.parse(line) as unknown)
const update = (update: object, sessionId = S) => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId, update },
})
const say = (
  text: unknown,
  sessionId = S,
  more: object = {},
  sessionUpdate = 'agent_message_chunk',
) => update({ sessionUpdate, ...more, content: { type: 'text', text } }, sessionId)
const said = (type: string) => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type, text: '-' },
})
const think = (text: string) => say(text, S, {}, 'agent_thought_chunk')
const texts = (...messages: unknown[]): unknown[] =>
  stdout(...messages).map(
    (message) =>
      (message as { params?: { update?: { content?: { text?: unknown } } } }).params?.update
        ?.content?.text ?? '-',
  )

it('keeps versions, renumbers ids, replaces sessions and paths', () => {
  expect(
    stdout(
      { jsonrpc: '2.0', id: 0, result: { protocolVersion: 1, agentInfo: { version: '0.1.0' } } },
      { jsonrpc: '2.0', id: 1, result: { sessionId: S } },
      update({
        sessionUpdate: 'tool_call',
        toolCallId: U,
        rawInput: { durationMs: 3, p: '/tmp/x/a' },
      }),
      update({ sessionUpdate: 'tool_call_update', toolCallId: U, rawOutput: { durationMs: 3 } }),
    ),
  ).toEqual([
    { jsonrpc: '2.0', id: 1, result: { protocolVersion: 1, agentInfo: { version: '0.1.0' } } },
    { jsonrpc: '2.0', id: 2, result: { sessionId: '{{session}}' } },
    update(
      { sessionUpdate: 'tool_call', toolCallId: U, rawInput: { durationMs: 3, p: '{{cwd}}/a' } },
      '{{session}}',
    ),
    update(
      { sessionUpdate: 'tool_call_update', toolCallId: U, rawOutput: { durationMs: 0 } },
      '{{session}}',
    ),
  ])
})

it('numbers the ids of each transcript anew', () => {
  const normaliser = createNormaliser({ sessionIds: [], cwdAliases: [] })
  expect(normaliser.stdout(['{"id":5}'])).toEqual(['{"id":1}'])
  expect(normaliser.stdout(['{"id":9}'])).toEqual(['{"id":1}'])
})

it('keeps the bytes of an untouched line', () => {
  const normaliser = createNormaliser({ sessionIds: [], cwdAliases: [] })
  const lines = ['{ "id":1, "result":null}', '[ ]', '7']
  expect(normaliser.stdout(lines)).toEqual(lines)
})

it('names a line that is no JSON', () => {
  const normaliser = createNormaliser({ sessionIds: [], cwdAliases: [] })
  for (const line of ['hello', '']) {
    expect(() => normaliser.stdout(['{}', line])).toThrow(
      expect.objectContaining({
        code: 'NOT_JSON',
        message: expect.stringContaining('stdout: line 2'),
      }),
    )
  }
})

it('replaces over the consecutive chunks of a session', () => {
  expect(texts(say('in /t'), say('mp/x'), say('/a'))).toEqual(['in {{cwd}}', '', '/a'])
  expect(texts(think('/t'), think('mp/x'))).toEqual(['{{cwd}}', ''])
  expect(texts(say('/tmp/x'), say('y'))).toEqual(['/tmp/x', 'y'])
  expect(
    texts(say('/tmp', S, {}, 'user_message_chunk'), say('/x', S, {}, 'user_message_chunk')),
  ).toEqual(['{{cwd}}', ''])
})

it('keeps sessions apart', () => {
  expect(texts(say('/t'), say('/v', S2), say('mp/x'), say('ar/x', S2))).toEqual([
    '{{cwd}}',
    '/v',
    '',
    'ar/x',
  ])
})

it.each([
  ['a thought', think('-')],
  ['a tool call', update({ sessionUpdate: 'tool_call' })],
  ['a plan', update({ sessionUpdate: 'plan' })],
  ['an answer', { jsonrpc: '2.0', id: 3, result: { stopReason: 'end_turn' } }],
  ['a request about the session', { id: 1, method: 'x', params: { sessionId: S } }],
  ['an image', update({ sessionUpdate: 'agent_message_chunk', content: { type: 'image' } })],
  ['content of another shape', update({ sessionUpdate: 'agent_message_chunk', content: 3 })],
  ['content of another type that has a text', update(said('resource'))],
  ['a text that is none', say(3)],
  ['an update of another shape', { method: 'x', params: { sessionId: S, update: 3 } }],
])('ends a text at %s', (_, between) => {
  expect(texts(say('/tmp/x'), between, say('y'))).toEqual(['{{cwd}}', expect.anything(), 'y'])
})

it('ends a text at another message', () => {
  const of = (text: string, messageId: string) => say(text, S, { messageId })
  expect(texts(of('/tmp/x', 'a'), of('y', 'b'))).toEqual(['{{cwd}}', 'y'])
  expect(texts(of('/tmp/x', 'a'), of('y', 'a'))).toEqual(['/tmp/x', 'y'])
})

it.each([
  ['another session', update({ sessionUpdate: 'plan' }, S2)],
  ['a notification without params', { method: 'x' }],
  ['a value that is no message', 7],
])('goes on past %s', (_, between) => {
  expect(texts(say('/tmp/x'), between, say('y'))).toEqual(['/tmp/x', '-', 'y'])
})

it('numbers a cut id where it begins', () => {
  const [a, b] = [U.slice(0, 8), U.slice(8)]
  expect(texts(say(`x ${a}`), say(S2, S2), say(b), say(` ${U}`, S2))).toEqual([
    'x {{id.1}}',
    '{{session.1}}',
    '',
    ' {{id.1}}',
  ])
})
