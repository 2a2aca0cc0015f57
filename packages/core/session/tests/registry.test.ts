import type { Context } from '@deepseek-ai/cordis'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Session, SessionBackend, StoredLog } from '../src/index.ts'
import { buildHeader } from '../src/index.ts'
import { errorOf, event, id, mount, time } from './support.ts'

let ctx: Context

beforeEach(async () => {
  time.now = 1000
  ctx = await mount()
})

const create = (): Session => ctx.sessions.create({ cwd: '/work' })

const append = { surfaceOp: 'append' } as const

function stored(name: string, events: StoredLog['events'] = []): StoredLog {
  return { header: buildHeader({ id: id(name), createdAt: 5, cwd: '/stored' }), events }
}

function use(load: SessionBackend['load']): () => void {
  return ctx.sessions.useBackend({ name: 'fake', load })
}

/** A promise that a test settles. */
function gate(): { promise: Promise<void>; open: () => void; fail: (error: Error) => void } {
  let open = (): void => undefined
  let fail: (error: Error) => void = () => undefined
  const promise = new Promise<void>((resolve, reject) => {
    open = resolve
    fail = reject
  })
  return { promise, open, fail }
}

describe('flush', () => {
  test('awaits every listener', async () => {
    const session = create()
    const { promise, open } = gate()
    const seen: string[] = []
    ctx.on('session/flush', async (each) => {
      await promise
      seen.push(each.id)
    })
    const flushed = ctx.sessions.flush(session).then(() => seen.push('flushed'))
    open()
    await flushed
    expect(seen).toEqual(['id-0', 'flushed'])
  })

  test('throws what one listener threw', async () => {
    const error = new Error('full')
    ctx.on('session/flush', () => Promise.reject(error))
    await expect(ctx.sessions.flush(create())).rejects.toBe(error)
  })

  test('throws what several listeners threw as one error', async () => {
    const errors = [new Error('full'), new Error('gone')]
    for (const error of errors) ctx.on('session/flush', () => Promise.reject(error))
    await expect(ctx.sessions.flush(create())).rejects.toMatchObject({
      errors,
      message: '2 listeners failed to flush session "id-0": full; gone',
      cause: expect.any(AggregateError) as unknown,
    })
  })
})

describe('dispose', () => {
  test('flushes, then announces, then forgets; all callers await the same end', async () => {
    const session = create()
    const seen: string[] = []
    ctx.on('session/flush', async () => void seen.push('flush'))
    ctx.on('session/disposed', (each) => {
      seen.push(`disposed ${each.id} ${String(ctx.sessions.get(each.id) === undefined)}`)
    })
    const first = ctx.sessions.dispose(session)
    expect(ctx.sessions.dispose(session)).toBe(first)
    await first
    await ctx.sessions.dispose(session)
    expect(seen).toEqual(['flush', 'disposed id-0 true'])
    expect(ctx.sessions.list()).toEqual([])
  })

  test('refuses appends from its beginning, and still shows what was said', async () => {
    const session = create()
    session.append('x', 1)
    const disposed = ctx.sessions.dispose(session)
    const expected = {
      code: 'SESSION_DISPOSED',
      message: 'cannot append y to session "id-0": it has been disposed',
    }
    expect(errorOf(() => session.append('y', 1))).toMatchObject(expected)
    await disposed
    expect(errorOf(() => session.append('y', 1))).toMatchObject(expected)
    expect(session.events).toHaveLength(1)
  })

  test('a session that could not be flushed stays live and can be disposed again', async () => {
    const session = create()
    const errors = [new Error('full')]
    const seen: string[] = []
    ctx.on('session/flush', async () => {
      const error = errors.shift()
      if (error !== undefined) throw error
    })
    ctx.on('session/disposed', (each) => void seen.push(each.id))
    await expect(ctx.sessions.dispose(session)).rejects.toThrow('full')
    expect(ctx.sessions.get(session.id)).toBe(session)
    expect(session.append('x', 1).seq).toBe(0)
    expect(seen).toEqual([])
    await ctx.sessions.dispose(session)
    expect(seen).toEqual(['id-0'])
  })
})

describe('load', () => {
  test('needs a backend', async () => {
    await expect(ctx.sessions.load(id('a'))).rejects.toMatchObject({
      code: 'NO_BACKEND',
      message: 'cannot load session "a": no session backend is mounted',
    })
  })

  test('says when there is no such session', async () => {
    use(async () => undefined)
    await expect(ctx.sessions.load(id('a'))).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
      message: 'there is no stored session "a"',
    })
  })

  test('brings a session back, announces it, and goes on after its last event', async () => {
    const seen: Session[] = []
    ctx.on('session/created', (session) => void seen.push(session))
    const said = event(0, 'user/message', { content: [], source: { kind: 'user' } }, append)
    const log = stored('a', [said, event(1, 'x', null)])
    use(async (which) => (which === 'a' ? log : undefined))
    const session = await ctx.sessions.load(id('a'))
    expect(session.header).toBe(log.header)
    expect(session.cwd).toBe('/stored')
    expect(session.events).toEqual(log.events)
    expect(session.history()).toHaveLength(1)
    expect(session.append('y', 1).seq).toBe(2)
    expect(seen).toEqual([session])
    expect(await ctx.sessions.load(id('a'))).toBe(session)
  })

  test('case R15: concurrent loads of one id share one result', async () => {
    const { promise, open } = gate()
    let loads = 0
    use(async () => {
      loads++
      await promise
      return stored('a')
    })
    const both = [ctx.sessions.load(id('a')), ctx.sessions.load(id('a'))]
    open()
    const [one, two] = await Promise.all(both)
    expect(one).toBe(two)
    expect(loads).toBe(1)
  })

  test('a load that failed can be tried again', async () => {
    const logs = [undefined, stored('a')]
    use(async () => logs.shift())
    await expect(ctx.sessions.load(id('a'))).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    expect((await ctx.sessions.load(id('a'))).id).toBe('a')
  })

  test('waits for a disposal in progress, so that it sees all events', async () => {
    const { promise, open } = gate()
    let loads = 0
    use(async () => {
      loads++
      return stored('a')
    })
    const session = await ctx.sessions.load(id('a'))
    ctx.on('session/flush', () => promise)
    const disposed = ctx.sessions.dispose(session)
    const again = ctx.sessions.load(id('a'))
    expect(loads).toBe(1)
    open()
    await disposed
    expect(await again).not.toBe(session)
    expect(loads).toBe(2)
  })

  test('gives the live session when the disposal in progress fails', async () => {
    use(async () => stored('a'))
    const session = await ctx.sessions.load(id('a'))
    const { promise, fail } = gate()
    ctx.on('session/flush', () => promise)
    const disposed = ctx.sessions.dispose(session)
    const again = ctx.sessions.load(id('a'))
    fail(new Error('full'))
    await expect(disposed).rejects.toThrow('full')
    expect(await again).toBe(session)
  })

  test('freezes what a backend gives', async () => {
    const header = { type: 'session', version: 0, id: id('a'), createdAt: 5, cwd: '/w' } as const
    use(async () => ({ header, events: [event(0, 'x', { a: {} })] }))
    const session = await ctx.sessions.load(id('a'))
    expect(Object.isFrozen(session.header)).toBe(true)
    expect(Object.isFrozen(session.events[0]?.data)).toBe(true)
  })

  test('a log without cwd has no place to act', async () => {
    use(async () => ({ header: buildHeader({ id: id('a'), createdAt: 5 }), events: [] }))
    await expect(ctx.sessions.load(id('a'))).rejects.toMatchObject({
      code: 'CORRUPT_LOG',
      message: expect.stringContaining('"a": its header has no cwd') as string,
    })
  })

  test('a log with an impossible event is corrupt', async () => {
    const surfaceOp = { op: 'replace', start: 7, end: 7 }
    use(async () => stored('a', [event(0, 'user/message', {}, { surfaceOp })]))
    await expect(ctx.sessions.load(id('a'))).rejects.toMatchObject({
      code: 'CORRUPT_LOG',
      message: expect.stringMatching(/^corrupt session log: event 0 .* replaces from 7/) as string,
      cause: { code: 'INVALID_EVENT' },
    })
    expect(ctx.sessions.list()).toEqual([])
  })
})
