import { describe, expect, test } from 'vitest'
import * as plugin from '../src/index.ts'
import { data, delegate, rig, results, text } from './harness.ts'

test('the plugin exports its shape, no default, and takes no configuration', () => {
  expect(plugin.name).toBe('subagent-in-process')
  expect(plugin.inject).toEqual(['agents', 'sessions', 'subagents'])
  expect(plugin).not.toHaveProperty('default')
  expect(plugin.Config.parse(undefined)).toEqual({})
  expect(() => plugin.Config.parse({ maxDepth: 1 })).toThrow()
})

describe('a spawned child', () => {
  test('answers its parent from a session of its own', async () => {
    const r = await rig({
      task: [delegate('subagent', 'sub'), text('PARENT_DONE')],
      sub: [text('CHILD_OK')],
    })
    expect(await r.ask('task')).toEqual({ turn: 1, reason: { kind: 'completed' } })
    const [parent, child] = r.sessions
    expect(r.sessions).toHaveLength(2)
    expect(data(parent, 'tool/result')).toEqual([
      {
        turn: 1,
        step: 1,
        callId: 'call_0',
        content: [{ type: 'text', text: 'CHILD_OK' }],
        isError: false,
      },
    ])
    expect(JSON.stringify(child?.header)).toBe(
      JSON.stringify({
        type: 'session',
        version: 0,
        id: child?.id,
        createdAt: child?.header.createdAt,
        cwd: '/w',
        parentSession: parent?.id,
        spawnedBy: { turn: 1, step: 1, call: 0, index: 0, callId: 'call_0' },
      }),
    )
    expect(child?.events.map(({ type }) => type)).toEqual([
      'turn/start',
      'user/message',
      'step/start',
      'request/header',
      'assistant/chunk',
      'assistant/chunk',
      'assistant/message',
      'step/end',
      'turn/end',
    ])
    expect(child?.events[0]?.data).toEqual({
      turn: 1,
      trigger: { kind: 'message', source: { kind: 'user' } },
    })
    expect(child?.events[1]?.data).toEqual({
      content: [{ type: 'text', text: 'sub' }],
      source: { kind: 'user' },
    })
    expect(child?.events[3]?.data).toMatchObject({ reason: 'initial' })
  })

  test('is asked with nothing of its parent but the directory, the model and the tools', async () => {
    const r = await rig(
      { task: [delegate('subagent', 'sub'), text('done')], sub: [text('ok')] },
      { model: 'own' },
    )
    await r.ask('task')
    const [first, childs] = r.requests
    expect(childs?.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'sub' }] }])
    expect(childs).toMatchObject({ model: 'own', sessionId: r.sessions[1]?.id })
    expect(childs?.system).toBe(first?.system)
    expect(childs?.tools).toEqual(first?.tools)
  })

  test('has the configured model where its parent has no agent', async () => {
    const r = await rig({ sub: [text('ok')] })
    const parent = r.ctx.sessions.create({ cwd: '/elsewhere' })
    const { signal } = new AbortController()
    const run = r.ctx.subagents.start('spawn', {
      prompt: 'sub',
      parent,
      origin: { plugin: 'p' },
      signal,
    })
    expect(await run.result).toEqual({ output: 'ok', stopReason: 'completed' })
    expect(r.requests[0]?.model).toBe('configured')
    const child = r.ctx.sessions.list().at(-1)
    expect(child?.id).toBe(run.id)
    expect(child?.cwd).toBe('/elsewhere')
    expect(child?.header.spawnedBy).toEqual({ turn: 0, step: 0, plugin: 'p', index: 0 })
    await run.dispose()
    expect(r.ctx.sessions.get(parent.id)).toBe(parent)
    expect(r.ctx.sessions.list()).toHaveLength(2)
  })

  test('is flushed and disposed before its parent goes on', async () => {
    const r = await rig({
      task: [delegate('subagent', 'sub'), text('done')],
      sub: [text('ok')],
    })
    await r.ask('task')
    expect(r.happened).toEqual(['flush 1', 'flush 1', 'disposed 1', 'flush 0'])
    expect(r.ctx.sessions.list()).toEqual([r.root.session])
    const child = r.sessions[1]
    expect(child === undefined ? undefined : r.ctx.agents.get(child)).toBeUndefined()
  })

  test('may itself delegate, down to the limit, where the model is told', async () => {
    const r = await rig(
      {
        task: [delegate('subagent', 'one'), text('done')],
        one: [delegate('subagent', 'two'), text('did one')],
        two: [delegate('subagent', 'three'), text('did two')],
      },
      { maxDepth: 2 },
    )
    await r.ask('task')
    const [root, one, two] = r.sessions
    expect(r.sessions).toHaveLength(3)
    expect([results(root), results(one), results(two)]).toEqual([
      ['did one'],
      ['did two'],
      [
        'Error: subagents may be nested 2 deep, and this agent is at depth 2; do the task without delegating it',
      ],
    ])
    expect(two?.header.parentSession).toBe(one?.id)
    expect(data(two, 'tool/result')).toMatchObject([
      { isError: true, error: { name: 'SubagentError', code: 'SUBAGENT_DEPTH' } },
    ])
    expect(r.ctx.sessions.list()).toEqual([root])
  })

  test('has its lineage while it lives', async () => {
    const seen: (string | undefined)[] = []
    const r = await rig({
      task: [delegate('subagent', 'one', 'two'), text('done')],
      one: [text('1')],
      two: [delegate('subagent', 'three'), text('2')],
      three: [text('3')],
    })
    r.ctx.on('session/flush', async ({ id }) => void seen.push(r.ctx.get('lineageOf')?.(id)))
    await r.ask('task')
    expect([...new Set(seen)]).toEqual(['0/1.1.0.0', '0/1.1.1.0/1.1.0.0', '0/1.1.1.0', '0'])
  })

  test('whose answer has no text answers with an empty one', async () => {
    const r = await rig({
      task: [delegate('subagent', 'sub'), text('done')],
      sub: [
        [
          { type: 'reasoning-delta', index: 0, text: 'hm' },
          { type: 'finish', reason: { kind: 'stop' } },
        ],
      ],
    })
    await r.ask('task')
    expect(results(r.sessions[0])).toEqual([''])
  })
})
