import { describe, expect, it } from 'vitest'
import { brandString } from 'dsh-brand'
import type { Session } from 'dsh-session'
import { type Agent, AgentError } from '../src/index.ts'
import { type Answer, calls, gate, type Rig, rig, say, text, tool } from './harness.ts'

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

describe('an agent with children', () => {
  const childOf = (r: Rig, parent: Session): Agent => {
    const session = r.ctx.sessions.create({ cwd: '/w', parentSession: parent.id })
    return r.ctx.agents.create({ session })
  }

  it('disposes them first, theirs before them, and no others', async () => {
    const r = await rig([])
    const child = childOf(r, r.session)
    const grandchild = childOf(r, child.session)
    const other = r.ctx.agents.create({ session: r.ctx.sessions.create({ cwd: '/w' }) })
    const disposed: Session[] = []
    r.ctx.on('session/disposed', (session) => void disposed.push(session))
    await r.agent.dispose()
    expect(disposed).toEqual([grandchild.session, child.session, r.session])
    expect(r.ctx.sessions.list()).toEqual([other.session])
  })

  it('ends their turns as disposed, also where its own turn waits for them', async () => {
    const hang: Answer = async function* ({ signal }) {
      const aborted = new Promise((resolve) => signal?.addEventListener('abort', resolve))
      yield { type: 'text-delta', index: 0, text: 'so far' }
      await aborted
      throw new Error('aborted')
    }
    const r = await rig([calls('delegate'), hang])
    const child = childOf(r, r.session)
    const started = gate()
    r.ctx.tools.register(
      tool('delegate', async (_args, { signal }) => {
        signal.addEventListener('abort', () => child.cancel('the parent was cancelled'))
        const turn = child.prompt(say('x'))
        started.open()
        await turn
        return say('done')
      }),
    )
    const turn = r.agent.prompt(say('x'))
    await started.passed
    await r.agent.dispose()
    await expect(turn).resolves.toMatchObject({ reason: { kind: 'disposed' } })
    expect(child.session.events.at(-1)?.data).toEqual({ turn: 1, reason: { kind: 'disposed' } })
  })

  it('disposes those too that its turn started on its way out', async () => {
    const r = await rig([calls('delegate')])
    const started = gate()
    const late: Agent[] = []
    r.ctx.tools.register(
      tool('delegate', async (_args, { signal }) => {
        const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve))
        started.open()
        await aborted
        late.push(childOf(r, r.session))
        return say('done')
      }),
    )
    const turn = r.agent.prompt(say('x'))
    await started.passed
    await Promise.all([turn, r.agent.dispose()])
    expect(late).toHaveLength(1)
    expect(r.ctx.sessions.list()).toEqual([])
  })

  it.each([
    ['itself', ['x']],
    ['one another', ['x', 'y']],
  ])('comes to an end where loaded sessions name %s as parents', async (_what, names) => {
    const r = await rig([])
    r.ctx.sessions.useBackend({
      name: 'damaged',
      load: async (id) => ({
        header: {
          type: 'session',
          version: 0,
          id,
          createdAt: 1,
          cwd: '/w',
          parentSession: brandString<'SessionId'>(
            names[(names.indexOf(id) + 1) % names.length] ?? '',
          ),
        },
        events: [],
      }),
    })
    const agents: Agent[] = []
    for (const name of names) {
      const session = await r.ctx.sessions.load(brandString<'SessionId'>(name))
      agents.push(r.ctx.agents.create({ session }))
    }
    await agents[0]?.dispose()
    expect(r.ctx.sessions.list().slice(1)).toEqual(agents.slice(1).map(({ session }) => session))
    await r.ctx.agents.disposeAll()
    expect(r.ctx.sessions.list()).toEqual([])
  })

  it('goes on where one of them cannot be disposed, which its own caller hears of', async () => {
    const r = await rig([])
    const child = childOf(r, r.session)
    r.ctx.on('session/flush', async (session) => {
      if (session === child.session) throw new Error('disk full')
    })
    await r.agent.dispose()
    expect(r.ctx.sessions.list()).toEqual([child.session])
    await expect(child.dispose()).rejects.toThrow('disk full')
  })
})

describe('steering', () => {
  it('is bounded, and refused after disposal', async () => {
    const r = await rig([])
    for (let count = 0; count < 1_000; count += 1) r.agent.steer(say('x'))
    expect(() => r.agent.steer(say('x'))).toThrow(
      expect.objectContaining({
        code: 'STEERING_FULL',
        message: expect.stringContaining(`session ${r.session.id} has 1000 messages waiting`),
      }),
    )
    await r.agent.dispose()
    expect(() => r.agent.steer(say('x'))).toThrow(expect.objectContaining({ code: 'DISPOSED' }))
  })
})

describe('the service', () => {
  it('gives an agent its own model, else the configured one', async () => {
    const r = await rig([], { config: { model: 'configured' } })
    const session = r.ctx.sessions.create({ cwd: '/w' })
    expect(r.agent.model).toBe('configured')
    expect(r.ctx.agents.create({ session, model: 'own' }).model).toBe('own')
  })

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
