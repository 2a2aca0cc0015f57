import { abortedError, LlmError, type StreamChunk } from 'dsh-llm'
import { describe, expect, it } from 'vitest'
import { calls, gate, rig, say, stream, text, tool, USAGE } from './harness.ts'

describe('a turn', () => {
  it('logs its events in the documented order and flushes once', async () => {
    const chunks: StreamChunk[] = [
      { type: 'block-start', index: 0, blockType: 'text' },
      { type: 'text-delta', index: 0, text: 'PONG' },
      { type: 'block-end', index: 0, block: { type: 'text', text: 'PONG' } },
      { type: 'usage', usage: USAGE },
      { type: 'finish', reason: { kind: 'stop' } },
    ]
    const r = await rig([chunks])
    await expect(r.agent.prompt(say('ping'))).resolves.toEqual({
      turn: 1,
      reason: { kind: 'completed' },
    })
    expect(r.session.events.map(({ type, data }) => [type, data])).toEqual([
      ['turn/start', { turn: 1, trigger: { kind: 'message', source: { kind: 'user' } } }],
      ['user/message', { ...say('ping'), source: { kind: 'user' } }],
      ['step/start', { turn: 1, step: 1 }],
      ['request/header', { header: expect.anything(), reason: 'initial' }],
      ...chunks.map((chunk) => ['assistant/chunk', { turn: 1, step: 1, chunk }]),
      ['assistant/message', { turn: 1, step: 1, ...say('PONG'), usage: USAGE }],
      ['step/end', { turn: 1, step: 1 }],
      ['turn/end', { turn: 1, reason: { kind: 'completed' } }],
    ])
    const [message] = r.events('assistant/message')
    expect(message).toMatchObject({ sourceEventSeqs: [4, 5, 6, 7, 8], surfaceOp: 'append' })
    expect(Object.keys(message?.data as object)).toEqual(['turn', 'step', 'content', 'usage'])
    expect(r.flushed).toEqual([r.session])
  })

  it('sends model, instructions, history, tools, session id and a signal', async () => {
    const r = await rig([text('a'), text('b')], {
      config: { systemPrompt: 'Be kind.' },
      tools: [tool('z', async () => say('z')), tool('a', async () => say('a'))],
    })
    await r.agent.prompt(say('one'))
    await r.agent.prompt({ ...say('two'), source: { kind: 'plugin', plugin: 'p' } })
    expect(r.requests[1]).toEqual({
      model: 'deepseek-v4-flash',
      system: 'Be kind.\n\nWorking directory: /w',
      messages: [
        { role: 'user', ...say('one') },
        { role: 'assistant', ...say('a') },
        { role: 'user', ...say('two') },
      ],
      tools: [
        { name: 'a', description: 'does a', parameters: { type: 'object' } },
        { name: 'z', description: 'does z', parameters: { type: 'object' } },
      ],
      signal: expect.any(AbortSignal),
      sessionId: r.session.id,
    })
    expect(r.data('turn/start')[1]).toEqual({
      turn: 2,
      trigger: { kind: 'message', source: { kind: 'plugin', plugin: 'p' } },
    })
    expect(r.data('user/message')[1]).toEqual({
      ...say('two'),
      source: { kind: 'plugin', plugin: 'p' },
    })
  })

  it('has instructions of its own that name the working directory', async () => {
    const r = await rig([text('a')])
    await r.agent.prompt(say('x'))
    const system = r.requests[0]?.system ?? ''
    expect(system).toMatch(
      /^You are a coding agent that works in the directory of a user\.\n\n- Use the tools/,
    )
    expect(system).toMatch(/\n- When something failed|- Say briefly what you did\./)
    expect(system.endsWith('\n\nWorking directory: /w')).toBe(true)
  })

  it('counts turns on after the last one in the log', async () => {
    const first = await rig([text('a')])
    await first.agent.prompt(say('x'))
    const r = await rig([text('b')], { seed: first.session.events })
    await expect(r.agent.prompt(say('y'))).resolves.toMatchObject({ turn: 2 })
    expect(r.data('request/header').map((data) => (data as { reason: string }).reason)).toEqual([
      'initial',
      'resume',
    ])
  })

  it('starts at turn 1 after a turn/start that it cannot read', async () => {
    const seed = [{ type: 'turn/start', seq: 0, time: 0, data: {} }]
    const r = await rig([text('b')], { seed })
    await expect(r.agent.prompt(say('y'))).resolves.toMatchObject({ turn: 1 })
  })

  it('logs an empty answer only for its usage', async () => {
    const finish: StreamChunk = { type: 'finish', reason: { kind: 'stop' } }
    const r = await rig([[finish], [{ type: 'usage', usage: USAGE }, finish], []])
    await r.agent.prompt(say('x'))
    expect(r.types()).not.toContain('assistant/message')
    await r.agent.prompt(say('y'))
    expect(r.data('assistant/message')).toEqual([{ turn: 2, step: 1, content: [], usage: USAGE }])
    await expect(r.agent.prompt(say('z'))).resolves.toMatchObject({ reason: { kind: 'completed' } })
    expect(r.data('assistant/message')).toHaveLength(1)
  })
})

describe('steps', () => {
  it('go on while the model calls tools', async () => {
    const r = await rig([calls('t'), text('done')], { tools: [tool('t', async () => say('out'))] })
    await expect(r.agent.prompt(say('x'))).resolves.toMatchObject({ reason: { kind: 'completed' } })
    expect(r.types().filter((type) => type !== 'assistant/chunk')).toEqual([
      'turn/start',
      'user/message',
      'step/start',
      'request/header',
      'assistant/message',
      'tool/call',
      'tool/result',
      'step/end',
      'step/start',
      'assistant/message',
      'step/end',
      'turn/end',
    ])
    expect(r.data('step/end')).toEqual([
      { turn: 1, step: 1 },
      { turn: 1, step: 2 },
    ])
    expect(r.requests[1]?.messages.at(-1)).toEqual({
      role: 'user',
      content: [{ type: 'tool-result', toolCallId: 'call_0', ...say('out') }],
    })
  })

  it('take steered messages in at their boundary, and go on for them alone', async () => {
    const release = gate()
    const r = await rig([
      async function* () {
        yield* text('one')
        await release.passed
      },
      text('two'),
      text('three'),
    ])
    const turn = r.agent.prompt(say('x'))
    r.agent.steer(say('also'))
    r.agent.steer({ ...say('and'), source: { kind: 'plugin', plugin: 'p' } })
    release.open()
    await turn
    expect(r.data('steering/message')).toEqual([
      { turn: 1, ...say('also'), source: { kind: 'user' } },
      { turn: 1, ...say('and'), source: { kind: 'plugin', plugin: 'p' } },
    ])
    expect(r.requests).toHaveLength(2)
    const types = r.types()
    expect(types.lastIndexOf('steering/message')).toBeLessThan(types.lastIndexOf('step/start'))
    r.agent.steer(say('late'))
    await r.agent.prompt(say('y'))
    expect(r.data('steering/message')[2]).toEqual({
      turn: 2,
      ...say('late'),
      source: { kind: 'user' },
    })
  })
})

describe('the end of a turn', () => {
  it('is an error, with its code, when the stream throws; the chunks before it are logged', async () => {
    const r = await rig([
      async function* () {
        yield { type: 'text-delta', index: 0, text: 'par' } as const
        throw new LlmError('AUTH', 'no key')
      },
    ])
    const reason = { kind: 'error', step: 1, message: 'no key', code: 'AUTH' }
    await expect(r.agent.prompt(say('x'))).resolves.toEqual({ turn: 1, reason })
    expect(r.types().slice(4)).toEqual(['assistant/chunk', 'llm/failure', 'step/end', 'turn/end'])
    expect(JSON.stringify(r.data('turn/end')[0])).toBe(JSON.stringify({ turn: 1, reason }))
    expect(r.flushed).toHaveLength(1)
  })

  it.each([
    [new Error('plain'), { kind: 'error', step: 1, message: 'plain' }],
    ['a string', { kind: 'error', step: 1, message: 'a string' }],
    [null, { kind: 'error', step: 1, message: 'null' }],
    [undefined, { kind: 'error', step: 1, message: 'undefined' }],
    [Object.assign(new Error('n'), { code: 7 }), { kind: 'error', step: 1, message: 'n' }],
  ])('is an error without code for %s', async (thrown, reason) => {
    const r = await rig([
      // oxlint-disable-next-line require-yield -- a stream that fails at once
      async function* () {
        throw thrown
      },
    ])
    await expect(r.agent.prompt(say('x'))).resolves.toEqual({ turn: 1, reason })
  })

  it('is an error when its request is vetoed; no step began, and the log is flushed', async () => {
    const r = await rig([text('never said')])
    r.ctx.on('agent/request', () => {
      throw Object.assign(new Error('not today'), { code: 'POLICY' })
    })
    const reason = { kind: 'error', step: 1, message: 'not today', code: 'POLICY' }
    await expect(r.agent.prompt(say('x'))).resolves.toEqual({ turn: 1, reason })
    expect(r.types()).toEqual(['turn/start', 'user/message', 'turn/end'])
    expect(r.agent.busy).toBe(false)
    expect(r.requests).toEqual([])
  })

  it('is an error when its step cannot be logged; the step has its end', async () => {
    const r = await rig([text('never said')])
    r.ctx.on('agent/request', (_request, _session, next) => ({
      ...next(),
      temperature: Number.NaN,
    }))
    await expect(r.agent.prompt(say('x'))).resolves.toMatchObject({
      reason: { kind: 'error', step: 1 },
    })
    expect(r.types()).toEqual(['turn/start', 'user/message', 'step/start', 'step/end', 'turn/end'])
    expect(r.requests).toEqual([])
  })

  it('is an error when the listener itself throws', async () => {
    const r = await rig([])
    await expect(r.agent.prompt(say('x'))).resolves.toMatchObject({
      reason: { kind: 'error', message: 'the fake model has no answer 1' },
    })
  })

  it.each([
    [
      { kind: 'error', message: 'bad', code: 'SERVER' },
      { kind: 'error', step: 1, message: 'bad', code: 'SERVER' },
    ],
    [
      { kind: 'error', message: 'bad' },
      { kind: 'error', step: 1, message: 'bad' },
    ],
    [{ kind: 'aborted' }, { kind: 'aborted' }],
  ] as const)('follows the finish %j', async (finish, reason) => {
    const r = await rig([
      [
        { type: 'text-delta', index: 0, text: 'x' },
        { type: 'finish', reason: finish },
      ],
    ])
    const result = await r.agent.prompt(say('x'))
    expect(JSON.stringify(result.reason)).toBe(JSON.stringify(reason))
    expect(r.types()).not.toContain('assistant/message')
  })

  it('drops tool calls at the token limit', async () => {
    const ran: string[] = []
    const r = await rig(
      [
        [
          { type: 'text-delta', index: 0, text: 'half' },
          ...calls('t')
            .slice(0, 1)
            .map((chunk) => ({ ...chunk, index: 1 }) as StreamChunk),
          { type: 'finish', reason: { kind: 'max-tokens' } },
        ],
      ],
      {
        tools: [
          tool('t', async () => {
            ran.push('t')
            return say('out')
          }),
        ],
      },
    )
    await expect(r.agent.prompt(say('x'))).resolves.toEqual({
      turn: 1,
      reason: { kind: 'max-tokens' },
    })
    expect(r.data('assistant/message')).toEqual([{ turn: 1, step: 1, ...say('half') }])
    expect(ran).toEqual([])
  })

  it('is aborted, without a message, when the stream is cancelled', async () => {
    const r = await rig([
      async function* ({ signal }) {
        yield { type: 'text-delta', index: 0, text: 'par' } as const
        if (signal?.aborted === true) throw abortedError()
        yield { type: 'text-delta', index: 0, text: 'never seen' } as const
      },
    ])
    r.ctx.on('session/event', (_session, event) => {
      if (event.type === 'assistant/chunk') r.agent.cancel('session/cancel')
    })
    const reason = { kind: 'aborted', reason: 'session/cancel' }
    await expect(r.agent.prompt(say('x'))).resolves.toEqual({ turn: 1, reason })
    expect(r.types().slice(4)).toEqual(['assistant/chunk', 'llm/failure', 'step/end', 'turn/end'])
  })

  it('is aborted even when a cancelled stream goes on to finish', async () => {
    const r = await rig([text('all of it')])
    r.ctx.on('session/event', (_session, event) => {
      if (event.type === 'assistant/chunk') r.agent.cancel('stop')
    })
    await expect(r.agent.prompt(say('x'))).resolves.toMatchObject({
      reason: { kind: 'aborted', reason: 'stop' },
    })
    expect(r.types()).not.toContain('assistant/message')
  })

  it('is the abort of whoever aborted first', async () => {
    const r = await rig([
      async function* (options) {
        r.agent.cancel('first')
        r.agent.cancel('second')
        yield* stream(text(String(options.signal?.aborted)))
      },
    ])
    await expect(r.agent.prompt(say('x'))).resolves.toMatchObject({ reason: { reason: 'first' } })
  })
})

describe('a turn that something goes wrong in', () => {
  const reason = { kind: 'error', step: 1, message: 'no request' }

  it('ends in order when a request listener throws, before the step begins', async () => {
    const r = await rig([text('a'), text('b')])
    let broken = true
    r.ctx.on('agent/request', (_request, _session, next) => {
      if (broken) throw new Error('no request')
      return next()
    })
    await expect(r.agent.prompt(say('x'))).resolves.toEqual({ turn: 1, reason })
    expect(r.types()).toEqual(['turn/start', 'user/message', 'turn/end'])
    expect(r.flushed).toHaveLength(1)
    broken = false
    await expect(r.agent.prompt(say('y'))).resolves.toMatchObject({ turn: 2 })
  })

  it('ends in order when what it would log is no JSON', async () => {
    const r = await rig([text('a')])
    r.ctx.on('agent/request', (_request, _session, next) => ({
      ...next(),
      temperature: Number.NaN,
    }))
    await expect(r.agent.prompt(say('x'))).resolves.toMatchObject({
      turn: 1,
      reason: { kind: 'error', step: 1, code: 'INVALID_EVENT' },
    })
    expect(r.types()).toEqual(['turn/start', 'user/message', 'step/start', 'step/end', 'turn/end'])
  })

  it('ends in order when a chunk is no JSON', async () => {
    const chunk = { type: 'text-delta', index: 0, text: undefined } as unknown as StreamChunk
    const r = await rig([[chunk]])
    await expect(r.agent.prompt(say('x'))).resolves.toMatchObject({ reason: { kind: 'error' } })
    expect(r.types().slice(-2)).toEqual(['step/end', 'turn/end'])
  })
})

it('a long answer from memory lets others in: input is read, cancels arrive', async () => {
  const r = await rig([
    async function* ({ signal }) {
      for (let count = 0; count < 1_000; count += 1) {
        if (signal?.aborted === true) throw abortedError()
        yield { type: 'text-delta', index: 0, text: 'x' } as const
      }
    },
  ])
  const turn = r.agent.prompt(say('x'))
  setImmediate(() => r.agent.cancel('session/cancel'))
  await expect(turn).resolves.toMatchObject({ reason: { kind: 'aborted' } })
  expect(r.data('assistant/chunk')).toHaveLength(256)
})
