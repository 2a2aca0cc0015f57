import { describe, expect, it } from 'vitest'
import { AgentError } from '../src/index.ts'
import { gate, rig, say, text } from './harness.ts'

describe('an agent', () => {
  it('runs one turn at a time', async () => {
    const r = await rig([text('a'), text('b')])
    expect(r.agent.busy).toBe(false)
    const turn = r.agent.prompt(say('x'))
    expect(r.agent.busy).toBe(true)
    await expect(r.agent.prompt(say('y'))).rejects.toThrow(
      expect.objectContaining({
        code: 'BUSY',
        message: `session ${r.session.id} is running a turn; cancel it or wait for its end`,
      }),
    )
    await turn
    expect(r.agent.busy).toBe(false)
    await r.agent.prompt(say('z'))
    expect(r.data('user/message')).toHaveLength(2)
  })

  it('is busy until its log is flushed, and fails the prompt when that fails', async () => {
    const r = await rig([text('a'), text('b')])
    const release = gate()
    const off = r.ctx.on('session/flush', async () => {
      await release.passed
      throw new Error('disk full')
    })
    const turn = r.agent.prompt(say('x'))
    while (r.types().at(-1) !== 'turn/end') await Promise.resolve()
    expect(r.agent.busy).toBe(true)
    release.open()
    await expect(turn).rejects.toThrow('disk full')
    expect(r.agent.busy).toBe(false)
    off()
    await expect(r.agent.prompt(say('y'))).resolves.toMatchObject({ turn: 2 })
  })

  it('ignores a cancel while idle', async () => {
    const r = await rig([text('a')])
    r.agent.cancel('early')
    await expect(r.agent.prompt(say('x'))).resolves.toMatchObject({ reason: { kind: 'completed' } })
  })

  it('ends a running turn as disposed, flushes it, then disposes the session', async () => {
    const r = await rig([
      // oxlint-disable-next-line require-yield -- hangs until the abort
      async function* ({ signal }) {
        await new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('aborted')))
        })
      },
    ])
    const order: string[] = []
    r.ctx.on('session/flush', async () => void order.push('flush'))
    r.ctx.on('session/disposed', () => void order.push('disposed'))
    const turn = r.agent.prompt(say('x'))
    const disposal = r.agent.dispose()
    expect(r.agent.dispose()).toBe(disposal)
    await disposal
    await expect(turn).resolves.toEqual({ turn: 1, reason: { kind: 'disposed' } })
    expect(r.data('turn/end')).toEqual([{ turn: 1, reason: { kind: 'disposed' } }])
    expect(order).toEqual(['flush', 'flush', 'disposed'])
    expect(r.ctx.agents.get(r.session)).toBeUndefined()
    await expect(r.agent.prompt(say('y'))).rejects.toThrow(
      expect.objectContaining({
        code: 'DISPOSED',
        message: `the agent of session ${r.session.id} is disposed`,
      }),
    )
  })

  it('disposes although its turn failed', async () => {
    const r = await rig([text('a')])
    let failures = 1
    r.ctx.on('session/flush', async () => {
      if (failures-- > 0) throw new Error('disk full')
    })
    const turn = r.agent.prompt(say('x'))
    await Promise.all([expect(turn).rejects.toThrow('disk full'), r.agent.dispose()])
    expect(() => r.session.append('x', {})).toThrow(
      expect.objectContaining({ code: 'SESSION_DISPOSED' }),
    )
  })
})

describe('the service', () => {
  it('keeps one agent per session', async () => {
    const r = await rig([])
    expect(r.ctx.agents.get(r.session)).toBe(r.agent)
    expect(() => r.ctx.agents.create({ session: r.session })).toThrow(AgentError)
    expect(() => r.ctx.agents.create({ session: r.session })).toThrow(
      expect.objectContaining({
        code: 'DUPLICATE_AGENT',
        message: `session ${r.session.id} already has an agent; use agents.get(session)`,
      }),
    )
  })

  it('disposes all agents, newest first, and reports every failure', async () => {
    const r = await rig([])
    const second = r.ctx.sessions.create({ cwd: '/w' })
    r.ctx.agents.create({ session: second })
    const flushed: string[] = []
    r.ctx.on('session/flush', async (session) => {
      flushed.push(session.id)
      throw new Error(`no ${session.id}`)
    })
    const failure = r.ctx.agents.disposeAll()
    await expect(failure).rejects.toThrow(AggregateError)
    await expect(failure).rejects.toThrow(second.id)
    expect(flushed).toEqual([second.id, r.session.id])
    await expect(r.ctx.agents.disposeAll()).resolves.toBeUndefined()
  })
})
