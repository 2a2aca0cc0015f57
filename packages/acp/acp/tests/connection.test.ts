import { describe, expect, it } from 'vitest'
import { answer, hang, PLACE, rig, say, text } from './rig.ts'

const invalid = (message: string): unknown =>
  expect.objectContaining({ code: -32602, message: `Invalid params: ${message}` })

describe('initialize', () => {
  it('says what it is and can do', async () => {
    const r = await rig([], { config: { name: 'n', title: 't', version: '9' } })
    expect(r.initialized).toEqual({
      protocolVersion: 1,
      agentInfo: { name: 'n', version: '9', title: 't' },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: false, audio: false, embeddedContext: true },
      },
      authMethods: [],
    })
  })

  it('has a name and a version of its own', async () => {
    const r = await rig()
    expect(r.initialized.agentInfo).toEqual({ name: 'dsh-acp', version: '0.1.0' })
  })
})

describe('session/new', () => {
  it('makes roots, numbered in order', async () => {
    const r = await rig()
    const first = await r.client.agent.request('session/new', PLACE)
    const second = await r.client.agent.request('session/new', { ...PLACE, cwd: '/v' })
    expect(r.ctx.sessions.list().map(({ id, header }) => [id, header.cwd, header.root])).toEqual([
      [first.sessionId, '/w', 0],
      [second.sessionId, '/v', 1],
    ])
  })

  it.each([
    [{ ...PLACE, cwd: '/w\0' }, 'cwd holds a NUL character, which no path can'],
    [{ ...PLACE, cwd: 'here' }, 'cwd must be absolute, got "here"'],
    [
      { ...PLACE, additionalDirectories: ['/x'] },
      'additionalDirectories is not supported; leave it empty',
    ],
    [
      { ...PLACE, mcpServers: [{ name: 'm', command: 'x', args: [], env: [] }] },
      'mcpServers is not supported; leave it empty',
    ],
  ])('refuses %j', async (params, message) => {
    const r = await rig()
    await expect(r.client.agent.request('session/new', params)).rejects.toEqual(invalid(message))
    expect(r.ctx.sessions.list()).toEqual([])
  })

  it('takes an empty list of additional directories', async () => {
    const r = await rig()
    await r.client.agent.request('session/new', { ...PLACE, additionalDirectories: [] })
    expect(r.ctx.sessions.list()).toHaveLength(1)
  })
})

describe('session/prompt', () => {
  it('streams updates, then answers with the stop reason', async () => {
    const r = await rig([text('PONG')])
    const { sessionId } = await r.client.agent.request('session/new', PLACE)
    await expect(
      r.client.agent.request('session/prompt', { sessionId, prompt: say('ping') }),
    ).resolves.toEqual({ stopReason: 'end_turn' })
    expect(r.updates).toEqual([
      {
        sessionId,
        update: {
          sessionUpdate: 'agent_message_chunk',
          content: { type: 'text', text: 'PONG' },
        },
      },
    ])
  })

  it('shows a tool by its own display, and one that is not there by its name', async () => {
    const call = (index: number, name: string) =>
      ({
        type: 'block-end',
        index,
        block: { type: 'tool-call', id: `c${index}`, name, arguments: '{"a":1}' },
      }) as const
    const finish = { type: 'finish', reason: { kind: 'tool-calls' } } as const
    const base = {
      description: '',
      parameters: {},
      kind: 'read',
      execute: async () => ({ content: say('out') }),
    } as const
    const r = await rig(
      [answer(call(0, 'shown'), call(1, 'plain'), call(2, 'gone'), finish), text('ok')],
      {
        tools: [
          { ...base, name: 'shown', display: (args) => ({ title: JSON.stringify(args) }) },
          { ...base, name: 'plain' },
        ],
      },
    )
    const { sessionId } = await r.client.agent.request('session/new', PLACE)
    await r.client.agent.request('session/prompt', { sessionId, prompt: say('x') })
    expect(r.updates.map(({ update }) => update)).toMatchObject([
      { sessionUpdate: 'tool_call', title: '{"a":1}', kind: 'read' },
      { sessionUpdate: 'tool_call_update', status: 'completed' },
      { sessionUpdate: 'tool_call', title: 'plain', kind: 'read' },
      { sessionUpdate: 'tool_call_update', status: 'completed' },
      { sessionUpdate: 'tool_call', title: 'gone', kind: 'other' },
      { sessionUpdate: 'tool_call_update', status: 'failed' },
      { sessionUpdate: 'agent_message_chunk' },
    ])
  })

  it('answers a failed turn with an internal error that has no data', async () => {
    const r = await rig([])
    const { sessionId } = await r.client.agent.request('session/new', PLACE)
    await expect(
      r.client.agent.request('session/prompt', { sessionId, prompt: say('x') }),
    ).rejects.toEqual(
      expect.objectContaining({
        code: -32603,
        message: 'Internal error: turn failed: the fake model has no answer',
        data: undefined,
      }),
    )
  })

  it('answers a failed flush with what failed', async () => {
    const r = await rig([text('a')])
    r.ctx.on('session/flush', async () => {
      throw new Error('disk full')
    })
    const { sessionId } = await r.client.agent.request('session/new', PLACE)
    await expect(
      r.client.agent.request('session/prompt', { sessionId, prompt: say('x') }),
    ).rejects.toMatchObject({ code: -32603, message: expect.stringContaining('disk full') })
  })

  it('refuses a second prompt while one runs, and unknown sessions', async () => {
    const r = await rig([hang])
    const { sessionId } = await r.client.agent.request('session/new', PLACE)
    const first = r.client.agent.request('session/prompt', { sessionId, prompt: say('x') })
    await expect(
      r.client.agent.request('session/prompt', { sessionId, prompt: say('y') }),
    ).rejects.toMatchObject({ code: -32600, message: expect.stringContaining('is running a turn') })
    await expect(
      r.client.agent.request('session/prompt', { sessionId: 'nope', prompt: say('y') }),
    ).rejects.toEqual(
      invalid(
        'session nope is not open on this connection; open it with session/new or session/load',
      ),
    )
    await r.client.agent.notify('session/cancel', { sessionId })
    await first
  })

  it('is cancelled by session/cancel, which ignores sessions that are not here', async () => {
    const r = await rig([hang])
    const { sessionId } = await r.client.agent.request('session/new', PLACE)
    const turn = r.client.agent.request('session/prompt', { sessionId, prompt: say('x') })
    await r.client.agent.notify('session/cancel', { sessionId: 'nope' })
    await r.client.agent.notify('session/cancel', { sessionId })
    await expect(turn).resolves.toEqual({ stopReason: 'cancelled' })
    expect(r.ctx.sessions.list()[0]?.events.at(-1)?.data).toEqual({
      turn: 1,
      reason: { kind: 'aborted', reason: 'session/cancel' },
    })
  })

  it('is cancelled when its request is', async () => {
    const r = await rig([hang, text('next')])
    const { sessionId } = await r.client.agent.request('session/new', PLACE)
    const abort = new AbortController()
    const turn = r.client.agent.request(
      'session/prompt',
      { sessionId, prompt: say('x') },
      { cancellationSignal: abort.signal },
    )
    r.ctx.on('session/event', (_session, { type }) => {
      if (type === 'assistant/chunk') abort.abort()
    })
    await turn.catch(() => undefined)
    expect(r.ctx.sessions.list()[0]?.events.at(-1)?.data).toEqual({
      turn: 1,
      reason: { kind: 'aborted', reason: 'session/cancel' },
    })
  })

  it('keeps sessions apart: what others do does not surface', async () => {
    const r = await rig([text('a'), text('b')])
    const { sessionId } = await r.client.agent.request('session/new', PLACE)
    const child = r.ctx.sessions.create({ cwd: '/w' })
    await r.ctx.agents.create({ session: child }).prompt({ content: say('hidden') })
    await r.client.agent.request('session/prompt', { sessionId, prompt: say('x') })
    expect(r.updates.map((update) => update.sessionId)).toEqual([sessionId])
  })
})
