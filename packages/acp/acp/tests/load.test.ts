import { brandString } from 'dsh-brand'
import { SessionError, type StoredLog } from 'dsh-session'
import { describe, expect, it } from 'vitest'
import { PLACE, type Rig, rig, say, text } from './rig.ts'

const id = brandString<'SessionId'>('s1')
const source = { kind: 'user' }
const stored: StoredLog = {
  header: { type: 'session', version: 0, id, createdAt: 1, cwd: '/w' },
  events: [
    {
      type: 'turn/start',
      seq: 0,
      time: 1,
      data: { turn: 1, trigger: { kind: 'message', source } },
    },
    {
      type: 'user/message',
      seq: 1,
      time: 1,
      data: { content: say('before'), source },
      surfaceOp: 'append',
    },
    {
      type: 'assistant/message',
      seq: 2,
      time: 1,
      data: { turn: 1, step: 1, content: say('then') },
      surfaceOp: 'append',
    },
    { type: 'turn/end', seq: 3, time: 1, data: { turn: 1, reason: { kind: 'completed' } } },
  ],
}

async function loading(load: () => Promise<StoredLog | undefined>): Promise<Rig> {
  const r = await rig([(options) => text('after')(options)])
  r.ctx.sessions.useBackend({ name: 'memory', load })
  return r
}

describe('session/load', () => {
  it('tells the client the conversation before it answers, and goes on from there', async () => {
    const r = await loading(async () => stored)
    const loaded = r.client.agent.request('session/load', { ...PLACE, sessionId: id })
    await expect(loaded).resolves.toEqual({})
    expect(r.updates.map(({ update }) => update)).toEqual([
      { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'before' } },
      { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'then' } },
    ])
    await r.client.agent.request('session/prompt', { sessionId: id, prompt: say('x') })
    expect(r.updates.at(-1)).toMatchObject({
      sessionId: id,
      update: { content: { text: 'after' } },
    })
    expect(r.ctx.sessions.get(id)?.events.at(-1)?.data).toMatchObject({ turn: 2 })
  })

  it('tells it again when it is loaded again', async () => {
    const r = await loading(async () => stored)
    await r.client.agent.request('session/load', { ...PLACE, sessionId: id })
    await r.client.agent.request('session/load', { ...PLACE, sessionId: id })
    expect(r.updates).toHaveLength(4)
  })

  it('refuses a session that is running a turn, and an empty id', async () => {
    const r = await loading(async () => stored)
    await r.client.agent.request('session/load', { ...PLACE, sessionId: id })
    const turn = r.client.agent.request('session/prompt', { sessionId: id, prompt: say('x') })
    await expect(
      r.client.agent.request('session/load', { ...PLACE, sessionId: id }),
    ).rejects.toMatchObject({ code: -32600, message: expect.stringContaining('running a turn') })
    await turn
    await expect(
      r.client.agent.request('session/load', { ...PLACE, sessionId: '' }),
    ).rejects.toMatchObject({ code: -32602, message: 'Invalid params: sessionId is empty' })
  })

  it('refuses another directory than the session has', async () => {
    const r = await loading(async () => stored)
    await expect(
      r.client.agent.request('session/load', { ...PLACE, cwd: '/v', sessionId: id }),
    ).rejects.toMatchObject({
      code: -32602,
      message: 'Invalid params: session s1 belongs to /w, not to /v',
    })
    await expect(
      r.client.agent.request('session/load', { ...PLACE, cwd: 'w', sessionId: id }),
    ).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('absolute') })
  })

  it.each([
    ['UNSUPPORTED_VERSION', -32602],
    ['CORRUPT_LOG', -32602],
    ['WRITE_FAILED', -32603],
  ] as const)('answers %s with its message', async (code, rpc) => {
    const r = await loading(async () => {
      throw new SessionError(code, 'why')
    })
    await expect(
      r.client.agent.request('session/load', { ...PLACE, sessionId: id }),
    ).rejects.toMatchObject({ code: rpc, message: expect.stringContaining('why') })
  })

  it("refuses a session that is at work for another, such as a session's child", async () => {
    const r = await loading(async () => undefined)
    const child = r.ctx.sessions.create({ cwd: '/w', parentSession: id })
    const agent = r.ctx.agents.create({ session: child })
    await expect(
      r.client.agent.request('session/load', { ...PLACE, sessionId: child.id }),
    ).rejects.toMatchObject({
      code: -32602,
      message: `Invalid params: session ${child.id} is at work for another session; load it when that is done`,
    })
    await agent.prompt({ content: say('x') })
    expect(r.updates).toEqual([])
  })

  it('answers a session that is not stored with invalid params', async () => {
    const r = await loading(async () => undefined)
    await expect(
      r.client.agent.request('session/load', { ...PLACE, sessionId: id }),
    ).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('s1') })
  })
})
