import { describe, expect, test } from 'vitest'
import type { Session } from 'dsh-session'
import { data, delegate, events, rig, results, text } from './harness.ts'

const lines = (log: Session | undefined, length?: number): string[] =>
  (log?.events ?? []).slice(0, length).map((event) => JSON.stringify(event))

describe('a forked child', () => {
  test('begins with what its parent has completed, verbatim, and goes on from there', async () => {
    const r = await rig({
      remember: [text('OK')],
      task: [delegate('subagent_fork', 'sub'), text('PARENT_DONE')],
      sub: [text('MARMALADE')],
    })
    await r.ask('remember')
    await r.ask('task')
    const [parent, child] = r.sessions
    const seedLength = (events(parent, 'turn/end')[0]?.seq ?? 0) + 1
    expect(seedLength).toBe(9)
    expect(Object.keys(child?.header ?? {})).toEqual([
      'type',
      'version',
      'id',
      'createdAt',
      'cwd',
      'parentSession',
      'seedLength',
      'spawnedBy',
    ])
    expect(child?.header).toMatchObject({
      parentSession: parent?.id,
      seedLength,
      spawnedBy: { turn: 2, step: 1, call: 0, index: 0, callId: 'call_0' },
    })
    expect(lines(child, seedLength)).toEqual(lines(parent, seedLength))
    expect(child?.header.createdAt).toBeGreaterThan(parent?.header.createdAt ?? Infinity)
    const own = child?.events.slice(seedLength) ?? []
    expect(own[0]).toMatchObject({ type: 'turn/start', seq: seedLength, data: { turn: 2 } })
    expect(data(child, 'request/header').slice(-1)).toMatchObject([{ reason: 'resume' }])
    expect(own.at(-1)?.data).toEqual({ turn: 2, reason: { kind: 'completed' } })
    expect(results(parent)).toEqual(['MARMALADE'])
  })

  test('remembers the conversation, but not the turn that it was forked in', async () => {
    const r = await rig({
      remember: [text('OK')],
      task: [delegate('subagent_fork', 'sub'), text('done')],
      sub: [text('x')],
    })
    await r.ask('remember')
    await r.ask('task')
    const childs = r.requests.find(({ sessionId }) => sessionId === r.sessions[1]?.id)
    expect(childs?.messages.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: 'remember' }],
      [{ type: 'text', text: 'OK' }],
      [{ type: 'text', text: 'sub' }],
    ])
  })

  test('of a parent that has completed no turn begins empty', async () => {
    const r = await rig({
      task: [delegate('subagent_fork', 'sub'), text('done')],
      sub: [text('x')],
    })
    await r.ask('task')
    const child = r.sessions[1]
    expect(child?.header).not.toHaveProperty('seedLength')
    expect(child?.events[0]).toMatchObject({ type: 'turn/start', seq: 0, data: { turn: 1 } })
    expect(data(child, 'request/header')).toMatchObject([{ reason: 'initial' }])
  })

  test('of a fork begins with what both have completed', async () => {
    const r = await rig({
      remember: [text('OK')],
      task: [delegate('subagent_fork', 'sub'), text('done')],
      sub: [delegate('subagent_fork', 'subsub'), text('y')],
      subsub: [text('x')],
    })
    await r.ask('remember')
    await r.ask('task')
    const [root, child, grandchild] = r.sessions
    expect(grandchild?.header).toMatchObject({ parentSession: child?.id, seedLength: 9 })
    expect(lines(grandchild, 9)).toEqual(lines(root, 9))
    expect(grandchild?.events[9]).toMatchObject({ type: 'turn/start', data: { turn: 2 } })
    expect([results(root), results(child)]).toEqual([['y'], ['x']])
  })

  test('never answers with what its parent said', async () => {
    const r = await rig({
      remember: [text('OK')],
      task: [delegate('subagent_fork', 'sub'), text('done')],
      sub: [[{ type: 'finish', reason: { kind: 'stop' } }]],
    })
    await r.ask('remember')
    await r.ask('task')
    expect(events(r.sessions[1], 'assistant/message')).toHaveLength(1)
    expect(results(r.sessions[0])).toEqual([''])
  })

  test('leaves the log of its parent alone', async () => {
    const r = await rig({
      remember: [text('OK')],
      task: [delegate('subagent_fork', 'sub'), text('done')],
      sub: [text('x')],
    })
    await r.ask('remember')
    await r.ask('task')
    expect(data(r.sessions[0], 'user/message')).toMatchObject([
      { content: [{ text: 'remember' }] },
      { content: [{ text: 'task' }] },
    ])
  })
})
