import { Context } from '@deepseek-ai/cordis'
import { beforeEach, describe, expect, test } from 'vitest'
import * as plugin from '../src/index.ts'
import type { CreateSessionOptions, Session, SessionBackend } from '../src/index.ts'
import { errorOf, event, id, mount, ready, time } from './support.ts'

let ctx: Context

beforeEach(async () => {
  time.now = 1000
  ctx = await mount()
})

const create = (options: Partial<CreateSessionOptions> = {}): Session =>
  ctx.sessions.create({ cwd: '/work', ...options })

function use(load: SessionBackend['load']): () => void {
  return ctx.sessions.useBackend({ name: 'fake', load })
}

test('the plugin exports its shape and no default', () => {
  expect(plugin.name).toBe('session')
  expect(plugin.inject).toEqual([])
  expect(plugin).not.toHaveProperty('default')
})

test('uses the clock and the ids of the machine where none are given', async () => {
  const root = new Context()
  await root.plugin(plugin)
  await ready(root)
  const before = Date.now()
  const session = root.sessions.create({ cwd: '/work' })
  expect(session.id).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
  expect(session.header.createdAt).toBeGreaterThanOrEqual(before)
  expect(session.append('x', null).time).toBeLessThanOrEqual(Date.now())
})

test('the service class has its defaults too', async () => {
  const root = new Context()
  await root.plugin(plugin.SessionService)
  await ready(root)
  expect(root.sessions.create({ cwd: '/work' }).id).toHaveLength(36)
})

describe('create', () => {
  test('builds the header, announces the session and keeps it', () => {
    const seen: Session[] = []
    ctx.on('session/created', (session) => void seen.push(session))
    const spawnedBy = { turn: 4, step: 5, call: 1, index: 2 }
    const session = create({ root: 3, spawnedBy, parentSession: id('p') })
    expect(seen).toEqual([session])
    expect(session.header).toEqual({
      type: 'session',
      version: 0,
      id: 'id-0',
      createdAt: 1000,
      cwd: '/work',
      parentSession: 'p',
      spawnedBy,
      root: 3,
    })
    expect(session.cwd).toBe('/work')
    expect(ctx.sessions.get(session.id)).toBe(session)
    expect(ctx.sessions.get(id('other'))).toBeUndefined()
  })

  test('bumps createdAt so that it strictly increases, even when the clock goes back', () => {
    const times = [1000, 1000, 1005, 900, 1005, 1010].map((now) => {
      time.now = now
      return create().header.createdAt
    })
    expect(times).toEqual([1000, 1001, 1005, 1006, 1007, 1010])
  })

  test('copies a seed verbatim and marks its length', () => {
    const parent = create()
    parent.append('user/message', { content: [], source: { kind: 'user' } }, append)
    parent.append('x', { a: 1 })
    time.now = 2000
    const child = create({ seed: parent.events })
    expect(child.header.seedLength).toBe(2)
    expect(child.events).toEqual(parent.events)
    expect(child.events[0]).toBe(parent.events[0])
    expect(child.history()).toHaveLength(1)
    expect(child.append('y', 1).seq).toBe(2)
    expect(parent.events).toHaveLength(2)
    expect(create({ seed: [] }).header).not.toHaveProperty('seedLength')
  })

  test('freezes a seed from elsewhere', () => {
    const child = create({ seed: [event(0, 'x', { a: {} })] })
    expect(Object.isFrozen(child.events[0])).toBe(true)
    expect(Object.isFrozen((child.events[0]?.data as { a: object } | undefined)?.a)).toBe(true)
  })

  test.each([
    [event(1, 'x', null), '"seq" is 1, where 0 must follow'],
    [event(0, 'x', undefined), 'event.data is undefined'],
    [event(0, 'user/message', {}), '"surfaceOp" is required'],
    [event(0, 'x', null, { extra: 1n }), 'event.extra is a bigint'],
  ])('refuses the seed %o', (bad, why) => {
    const error = errorOf(() => create({ seed: [bad] }))
    expect(error).toMatchObject({ code: 'INVALID_EVENT' })
    expect((error as Error).message).toContain(why)
    expect(ctx.sessions.list()).toEqual([])
  })

  test('refuses a relative cwd and an id that is taken', async () => {
    expect(errorOf(() => create({ cwd: 'work' }))).toMatchObject({
      code: 'INVALID_SESSION',
      message: `a session's cwd must be absolute, not "work"`,
    })
    ctx = await mount({ uuid: () => 'same' })
    create()
    expect(errorOf(() => create())).toMatchObject({
      code: 'INVALID_SESSION',
      message: 'a session with the id "same" exists already',
    })
  })

  test('lists live sessions in order of creation', () => {
    const sessions = [create(), create(), create()]
    expect(ctx.sessions.list()).toEqual(sessions)
  })
})

const append = { surfaceOp: 'append' } as const

describe('useBackend', () => {
  test('takes one at a time', () => {
    const dispose = use(async () => undefined)
    expect(errorOf(() => use(async () => undefined))).toMatchObject({
      code: 'DUPLICATE_BACKEND',
      message: expect.stringContaining('backend "fake": "fake" is in use') as string,
    })
    dispose()
    dispose()
    use(async () => undefined)
  })

  test('a backend goes with the plugin that brought it', async () => {
    const fiber = await ctx.plugin({
      name: 'brings-a-backend',
      inject: ['sessions'],
      apply: (inner: Context) => {
        inner.sessions.useBackend({ name: 'inner', load: async () => undefined })
      },
    })
    await expect(ctx.sessions.load(id('a'))).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    await fiber.dispose()
    await expect(ctx.sessions.load(id('a'))).rejects.toMatchObject({ code: 'NO_BACKEND' })
  })
})

describe('ctx.lineageOf', () => {
  test('names the place of a live session in its tree, from its live ancestors', async () => {
    const root = create({ root: 2 })
    const spawnedBy = { turn: 1, step: 2, call: 0, index: 1, callId: 'call_x' }
    const child = create({ parentSession: root.id, spawnedBy })
    const grandchild = create({
      parentSession: child.id,
      spawnedBy: { turn: 3, step: 1, plugin: 'p', index: 0 },
    })
    expect(ctx.get('lineageOf')?.(root.id)).toBe('2')
    expect(ctx.get('lineageOf')?.(child.id)).toBe('2/1.2.0.1')
    expect(ctx.get('lineageOf')?.(grandchild.id)).toBe('2/1.2.0.1/3.1.p.0')
    await ctx.sessions.dispose(root)
    expect(ctx.get('lineageOf')?.(child.id)).toBeUndefined()
  })

  test('is undefined for a session that is not live or whose root has no ordinal', () => {
    expect(ctx.get('lineageOf')?.(id('other'))).toBeUndefined()
    expect(ctx.get('lineageOf')?.(create().id)).toBeUndefined()
  })
})
