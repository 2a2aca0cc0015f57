import { describe, expect, test, vi } from 'vitest'
import { type Answer, call, data, delegate, gate, hanging, rig, results, text } from './harness.ts'

describe('a child that fails', () => {
  test('in the middle of its turn is an error result, and the parent goes on', async () => {
    const cut: Answer = async function* () {
      yield { type: 'text-delta', index: 0, text: 'par' }
      throw Object.assign(new Error('connection lost'), { code: 'STREAM_CLOSED' })
    }
    const r = await rig({
      task: [delegate('subagent', 'sub'), text('done')],
      sub: [call({ tool: 'none', args: {} }), cut],
    })
    expect(await r.ask('task')).toEqual({ turn: 1, reason: { kind: 'completed' } })
    expect(data(r.sessions[1], 'turn/end')).toEqual([
      {
        turn: 1,
        reason: { kind: 'error', step: 2, message: 'connection lost', code: 'STREAM_CLOSED' },
      },
    ])
    expect(data(r.sessions[0], 'tool/result')).toMatchObject([
      {
        content: [{ type: 'text', text: 'Error: subagent run failed' }],
        isError: true,
        error: { name: 'SubagentError', code: 'SUBAGENT_FAILED' },
      },
    ])
    expect(r.happened).toEqual(['flush 1', 'flush 1', 'disposed 1', 'flush 0'])
    expect(r.ctx.sessions.list()).toEqual([r.root.session])
  })

  test('before its first call has a log with an end, and nothing waits for it', async () => {
    const r = await rig({ task: [delegate('subagent', 'sub', 'sub'), text('done')] })
    r.ctx.on('agent/request', (_request, of, next) => {
      if (of !== r.root.session) throw new Error('no calls for children')
      return next()
    })
    expect(await r.ask('task')).toEqual({ turn: 1, reason: { kind: 'completed' } })
    expect(results(r.sessions[0])).toEqual(Array(2).fill('Error: subagent run failed'))
    for (const child of r.sessions.slice(1)) {
      expect(child.events.map(({ type }) => type)).toEqual([
        'turn/start',
        'user/message',
        'turn/end',
      ])
      expect(data(child, 'turn/end')).toEqual([
        { turn: 1, reason: { kind: 'error', step: 1, message: 'no calls for children' } },
      ])
    }
    expect(r.happened).toEqual([
      'flush 1',
      'flush 1',
      'disposed 1',
      'flush 2',
      'flush 2',
      'disposed 2',
      'flush 0',
    ])
    expect(r.ctx.sessions.list()).toEqual([r.root.session])
  })

  test('keeps what it had said in its result', async () => {
    const r = await rig({
      sub: [
        [
          { type: 'text-delta', index: 0, text: 'first' },
          ...call({ tool: 'none', args: {} }).map((chunk) =>
            'index' in chunk ? { ...chunk, index: 1 } : chunk,
          ),
        ],
      ],
    })
    const run = r.ctx.subagents.start('spawn', {
      prompt: 'sub',
      parent: r.root.session,
      origin: { plugin: 'p' },
      signal: new AbortController().signal,
    })
    expect(await run.result).toEqual({ output: 'first', stopReason: 'error' })
    await run.dispose()
  })

  test('by its token limit says so', async () => {
    const r = await rig({
      task: [delegate('subagent', 'sub'), text('done')],
      sub: [
        [
          { type: 'text-delta', index: 0, text: 'cut' },
          { type: 'finish', reason: { kind: 'max-tokens' } },
        ],
      ],
    })
    await r.ask('task')
    expect(results(r.sessions[0])).toEqual([
      'Error: subagent run hit its token limit before finishing',
    ])
  })

  test('outside of what its log can say is an error result too, and is reported', async () => {
    const r = await rig({ task: [delegate('subagent', 'sub'), text('done')], sub: [text('x')] })
    const failures = [new Error('disk full')]
    const reported = vi.spyOn(r.ctx.logger, 'error').mockReturnValue()
    r.ctx.on('session/flush', async (session) => {
      const failure = session === r.sessions[1] ? failures.pop() : undefined
      if (failure !== undefined) throw failure
    })
    await r.ask('task')
    expect(results(r.sessions[0])).toEqual(['Error: subagent run failed'])
    expect(reported).toHaveBeenCalledExactlyOnceWith(
      'the turn of the subagent %s failed: %s',
      r.sessions[1]?.id,
      expect.objectContaining({ message: 'disk full' }),
    )
    expect(r.ctx.sessions.list()).toEqual([r.root.session])
  })

  test('to be written fails the call with the reason', async () => {
    const r = await rig({ task: [delegate('subagent', 'sub'), text('done')], sub: [text('x')] })
    vi.spyOn(r.ctx.logger, 'error').mockReturnValue()
    r.ctx.on('session/flush', async (session) => {
      if (session === r.sessions[1]) throw new Error('disk full')
    })
    await r.ask('task')
    expect(results(r.sessions[0])).toEqual(['Error: disk full'])
  })
})

describe('a child at work', () => {
  test('ends as its parent is cancelled, also while it streams', async () => {
    const streaming = gate()
    const r = await rig({
      task: [delegate('subagent', 'sub')],
      sub: [hanging(streaming.open)],
    })
    const turn = r.ask('task')
    await streaming.passed
    r.root.cancel('session/cancel')
    const reason = { kind: 'aborted', reason: 'session/cancel' }
    expect(await turn).toEqual({ turn: 1, reason })
    const [parent, child] = r.sessions
    expect(data(child, 'turn/end')).toEqual([{ turn: 1, reason }])
    expect(data(child, 'assistant/chunk')).toHaveLength(1)
    expect(data(child, 'assistant/message')).toEqual([])
    expect(data(parent, 'tool/result')).toMatchObject([
      {
        content: [{ type: 'text', text: 'Error: subagent run was cancelled' }],
        isError: true,
        error: { name: 'SubagentError', code: 'SUBAGENT_ABORTED' },
      },
    ])
    expect(r.happened).toEqual(['flush 1', 'flush 1', 'disposed 1', 'flush 0'])
  })

  test('takes the cancel down to its own children', async () => {
    const streaming = gate()
    const r = await rig({
      task: [delegate('subagent', 'one')],
      one: [delegate('subagent', 'two')],
      two: [hanging(streaming.open)],
    })
    const turn = r.ask('task')
    await streaming.passed
    r.root.cancel('session/cancel')
    await turn
    for (const session of r.sessions) {
      expect(data(session, 'turn/end')).toEqual([
        { turn: 1, reason: { kind: 'aborted', reason: 'session/cancel' } },
      ])
    }
    expect(r.ctx.sessions.list()).toEqual([r.root.session])
  })

  test('is disposed before its parent is', async () => {
    const streaming = gate()
    const r = await rig({
      task: [delegate('subagent', 'one')],
      one: [delegate('subagent', 'two')],
      two: [hanging(streaming.open)],
    })
    const turn = r.ask('task')
    await streaming.passed
    await r.root.dispose()
    expect(await turn).toEqual({ turn: 1, reason: { kind: 'disposed' } })
    expect(r.happened.filter((what) => what.startsWith('disposed'))).toEqual([
      'disposed 2',
      'disposed 1',
      'disposed 0',
    ])
    for (const session of r.sessions) {
      expect(data(session, 'turn/end')).toEqual([{ turn: 1, reason: { kind: 'disposed' } }])
    }
    expect(r.ctx.sessions.list()).toEqual([])
  })

  test('is disposed before its parent when all agents are', async () => {
    const streaming = gate()
    const r = await rig({ task: [delegate('subagent', 'sub')], sub: [hanging(streaming.open)] })
    const turn = r.ask('task')
    await streaming.passed
    await Promise.all([r.ctx.agents.disposeAll(), turn])
    expect(r.happened.slice(-4)).toEqual(['disposed 1', 'flush 0', 'flush 0', 'disposed 0'])
    expect(data(r.sessions[1], 'turn/end')).toEqual([{ turn: 1, reason: { kind: 'disposed' } }])
    expect(r.ctx.sessions.list()).toEqual([])
  })

  test('of a plugin ends by its signal or with its parent, and says what it had said', async () => {
    const streaming = gate()
    const both = { a: gate(), b: gate() }
    const r = await rig({
      a: [hanging(both.a.open)],
      b: [hanging(both.b.open)],
      c: [hanging(streaming.open)],
    })
    const start = (prompt: string, signal: AbortSignal) =>
      r.ctx.subagents.start('spawn', {
        prompt,
        parent: r.root.session,
        origin: { plugin: 'p' },
        signal,
      })
    const abort = new AbortController()
    const a = start('a', abort.signal)
    await both.a.passed
    abort.abort()
    expect(await a.result).toEqual({ output: '', stopReason: 'aborted' })
    expect(data(r.sessions[1], 'turn/end')).toEqual([
      { turn: 1, reason: { kind: 'aborted', reason: 'cancelled by the parent' } },
    ])
    await a.dispose()

    const b = start('b', new AbortController().signal)
    await both.b.passed
    await b.dispose()
    expect(await b.result).toEqual({ output: '', stopReason: 'aborted' })

    const c = start('c', new AbortController().signal)
    await streaming.passed
    await r.root.dispose()
    expect(await c.result).toEqual({ output: '', stopReason: 'aborted' })
    expect(r.ctx.sessions.list()).toEqual([])
    await expect(c.dispose()).resolves.toBeUndefined()
  })

  test('lets go of the signal when it is done', async () => {
    const r = await rig({ sub: [text('x')] })
    const { signal } = new AbortController()
    const removed = vi.spyOn(signal, 'removeEventListener')
    const added = vi.spyOn(signal, 'addEventListener')
    const request = { prompt: 'sub', parent: r.root.session, origin: { plugin: 'p' }, signal }
    const run = r.ctx.subagents.start('spawn', request)
    await run.result
    await run.dispose()
    expect(added).toHaveBeenCalledOnce()
    expect(removed).toHaveBeenCalledExactlyOnceWith('abort', added.mock.calls[0]?.[1])
  })
})
