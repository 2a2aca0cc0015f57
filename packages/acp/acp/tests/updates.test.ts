import type { SessionEvent } from 'dsh-session'
import { describe, expect, it } from 'vitest'
import { UpdateTranslator } from '../src/updates.ts'

const event = (type: string, data: unknown, rest: Partial<SessionEvent> = {}): SessionEvent => ({
  type,
  seq: 0,
  time: 0,
  data,
  ...rest,
})

const translator = (): UpdateTranslator =>
  new UpdateTranslator('/w', (name, args) => ({
    kind: 'edit',
    display: {
      title: `${name} ${JSON.stringify(args)}`,
      ...(name === 'read' && { paths: ['a.txt', '/abs/b.txt'] }),
    },
  }))

const call = (callId: string, args: string, seq: number, name = 'bash'): SessionEvent =>
  event('tool/call', { turn: 1, step: 1, callId, name, arguments: args }, { seq })
const result = (callId: string, callSeq: number | undefined, data: object = {}): SessionEvent =>
  event(
    'tool/result',
    { turn: 1, step: 1, callId, content: [{ type: 'text', text: 'out' }], isError: false, ...data },
    callSeq === undefined ? {} : { sourceEventSeqs: [callSeq] },
  )

describe('live', () => {
  it('passes text and reasoning deltas on, and no other chunk', () => {
    const t = translator()
    const chunk = (value: object): unknown =>
      t.live(event('assistant/chunk', { turn: 1, step: 1, chunk: value }))
    expect(chunk({ type: 'text-delta', index: 0, text: 'a' })).toEqual({
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text: 'a' },
    })
    expect(chunk({ type: 'reasoning-delta', index: 0, text: 'b' })).toEqual({
      sessionUpdate: 'agent_thought_chunk',
      content: { type: 'text', text: 'b' },
    })
    expect(chunk({ type: 'block-start', index: 0, blockType: 'text' })).toBeUndefined()
    expect(t.live(event('step/end', { turn: 1, step: 1 }))).toBeUndefined()
  })

  it('announces a call with its parsed arguments, kind, title and absolute places', () => {
    expect(translator().live(call('c1', '{"file_path":"a.txt"}', 3, 'read'))).toEqual({
      sessionUpdate: 'tool_call',
      toolCallId: 'c1',
      title: 'read {"file_path":"a.txt"}',
      kind: 'edit',
      status: 'in_progress',
      rawInput: { file_path: 'a.txt' },
      locations: [{ path: '/w/a.txt' }, { path: '/abs/b.txt' }],
    })
  })

  it('shows arguments that do not parse as they are, and none as an empty object', () => {
    const t = translator()
    expect(t.live(call('c1', '{"a', 1))).toMatchObject({ rawInput: '{"a', locations: [] })
    expect(t.live(call('c2', '', 2))).toMatchObject({ rawInput: {} })
  })

  it('tells repeated call ids apart, and gives each result to its own call', () => {
    const t = translator()
    t.live(call('c1', '{}', 1))
    expect(t.live(call('c1', '{}', 5))).toMatchObject({ toolCallId: 'c1#2' })
    expect(t.live(result('c1', 5))).toMatchObject({ toolCallId: 'c1#2' })
    expect(t.live(result('c1', 1))).toMatchObject({ toolCallId: 'c1' })
    expect(t.live(result('c1', 5))).toMatchObject({ toolCallId: 'c1' })
    expect(t.live(result('c9', undefined))).toMatchObject({ toolCallId: 'c9' })
  })

  it('reports results as text, and failures as failed', () => {
    const t = translator()
    const reasoning = { type: 'reasoning', text: 'no' }
    expect(
      t.live(result('c1', 1, { content: [{ type: 'text', text: 'out' }, reasoning] })),
    ).toEqual({
      sessionUpdate: 'tool_call_update',
      toolCallId: 'c1',
      status: 'completed',
      content: [{ type: 'content', content: { type: 'text', text: 'out' } }],
    })
    expect(t.live(result('c1', 1, { isError: true }))).toMatchObject({ status: 'failed' })
  })

  it('reports edits as diffs with absolute paths', () => {
    const diffs = [
      { path: 'a.txt', oldText: 'x', newText: 'y' },
      { path: '/abs/b', oldText: null, newText: 'z' },
    ]
    expect(translator().live(result('c1', 1, { meta: { diffs } }))).toMatchObject({
      content: [
        { type: 'diff', path: '/w/a.txt', oldText: 'x', newText: 'y' },
        { type: 'diff', path: '/abs/b', oldText: null, newText: 'z' },
      ],
    })
  })

  it.each([
    [{ diffs: 'no' }],
    [{ diffs: [null] }],
    [{ diffs: [{ path: 1, oldText: 'x', newText: 'y' }] }],
    [{ diffs: [{ path: 'a', oldText: 1, newText: 'y' }] }],
    [{ diffs: [{ path: 'a', oldText: 'x', newText: 1 }] }],
  ])('falls back to the text for meta %j', (meta) => {
    expect(translator().live(result('c1', 1, { meta }))).toMatchObject({
      content: [{ type: 'content', content: { type: 'text', text: 'out' } }],
    })
  })

  it('reports a todo list as a plan', () => {
    const todos = [{ content: 'do it', status: 'in_progress' }]
    expect(translator().live(event('todo/write', { todos }))).toEqual({
      sessionUpdate: 'plan',
      entries: [{ content: 'do it', status: 'in_progress', priority: 'medium' }],
    })
  })
})

describe('stored', () => {
  it('tells whole messages instead of chunks', () => {
    const t = translator()
    const content = [
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'hi' },
      { type: 'tool-call', id: 'c1', name: 'bash', arguments: '{}' },
    ]
    const chunk = { type: 'text-delta', index: 0, text: 'hi' }
    expect(t.stored(event('assistant/chunk', { turn: 1, step: 1, chunk }))).toEqual([])
    expect(t.stored(event('user/message', { content, source: { kind: 'user' } }))).toEqual([
      { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hm' } },
      { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'hi' } },
    ])
    expect(t.stored(event('assistant/message', { turn: 1, step: 1, content }))).toEqual([
      { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hm' } },
      { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'hi' } },
    ])
  })

  it('tells calls like live ones, and nothing of bookkeeping', () => {
    const t = translator()
    expect(t.stored(call('c1', '{}', 1))).toMatchObject([{ sessionUpdate: 'tool_call' }])
    expect(t.stored(event('turn/end', { turn: 1, reason: { kind: 'completed' } }))).toEqual([])
  })
})
