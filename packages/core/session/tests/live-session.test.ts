import type { Context } from '@deepseek-ai/cordis'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Session, SessionError } from '../src/index.ts'
import { errorOf, mount, time } from './support.ts'

let ctx: Context

beforeEach(async () => {
  time.now = 1000
  ctx = await mount()
})

const create = (): Session => ctx.sessions.create({ cwd: '/work' })

const append = { surfaceOp: 'append' } as const

function logged(): string[] {
  return ctx.logger.buffer.map((message) => message.args.map(String).join(' '))
}

describe('append', () => {
  test('commits an event with the next seq and the time, in the key order of the format', () => {
    const session = create()
    session.append('x', 1)
    time.now = 1234
    const data = { content: [], source: { kind: 'user' } } as const
    const said = session.append('user/message', data, { surfaceOp: 'append', sourceEventSeqs: [0] })
    expect(JSON.stringify(said)).toBe(
      '{"type":"user/message","seq":1,"time":1234,"data":{"content":[],"source":{"kind":"user"}},"sourceEventSeqs":[0],"surfaceOp":"append"}',
    )
    expect(session.events[1]).toBe(said)
    expect(session.events).toHaveLength(2)
    expect(Object.keys(session.append('x', 1))).toEqual(['type', 'seq', 'time', 'data'])
  })

  test('freezes what it commits, extras included', () => {
    const session = create()
    const data = { deep: [{}] }
    const sourceEventSeqs = [0]
    const surfaceOp = { op: 'replace', start: 0, end: 0 } as const
    session.append('context/message', {}, append)
    const said = session.append('user/message', data, { sourceEventSeqs, surfaceOp })
    for (const part of [said, data, data.deep[0], sourceEventSeqs, surfaceOp]) {
      expect(Object.isFrozen(part)).toBe(true)
    }
  })

  test.each<[string, unknown, object, string]>([
    ['x', { a: undefined }, {}, 'event.data.a is undefined'],
    ['x', undefined, {}, 'event.data is undefined'],
    ['', null, {}, '"type" must be a non-empty string'],
    ['user/message', {}, {}, '"surfaceOp" is required on "user/message"'],
    ['x', {}, append, '"surfaceOp" is not allowed on "x"'],
    ['user/message', {}, { surfaceOp: { op: 'replace', start: 0, end: 0 } }, 'replaces from 0'],
  ])('refuses %j with %o and commits nothing', (type, data, extras, why) => {
    const session = create()
    const seen: unknown[] = []
    ctx.on('session/event', (_, each) => void seen.push(each))
    const error = errorOf(() => session.append(type, data, extras))
    expect(error).toBeInstanceOf(SessionError)
    expect(error).toMatchObject({ code: 'INVALID_EVENT' })
    expect((error as Error).message).toContain(why)
    expect((error as Error).message).toContain(`event 0 (${type}) of session "id-0" is invalid: `)
    expect([session.events.length, session.history().length, seen.length]).toEqual([0, 0, 0])
    expect(session.append('x', null).seq).toBe(0)
  })

  test('tells observers after the commit', () => {
    const session = create()
    const seen: unknown[] = []
    ctx.on('session/event', (where, each) => void seen.push([where, each, where.events.at(-1)]))
    const said = session.append('x', 1)
    expect(seen).toEqual([[session, said, said]])
  })

  test('an observer that throws or rejects is logged and stops neither others nor the commit', async () => {
    const session = create()
    const seen: string[] = []
    ctx.on('session/event', () => {
      throw new Error('thrown by one')
    })
    ctx.on('session/event', () => Promise.reject(new Error('rejected by two')))
    ctx.on('session/event', (_, each) => void seen.push(each.type))
    expect(session.append('x', 1).seq).toBe(0)
    await Promise.resolve()
    await Promise.resolve()
    expect(seen).toEqual(['x'])
    expect(logged().filter((text) => text.includes('an observer of'))).toEqual([
      'an observer of %s failed session/event Error: thrown by one',
      'an observer of %s failed session/event Error: rejected by two',
    ])
    expect(session.append('y', 1).seq).toBe(1)
  })

  test('refuses an append from an observer of the same session, and allows another session', () => {
    const [one, two] = [create(), create()]
    const errors: unknown[] = []
    ctx.on('session/event', (session) => {
      if (session !== one) return
      errors.push(errorOf(() => one.append('again', 1)))
      two.append('elsewhere', 1)
    })
    one.append('x', 1)
    expect(errors).toMatchObject([{ code: 'REENTRANT_APPEND' }])
    expect((errors[0] as Error).message).toContain('cannot append again to session "id-0"')
    expect([one, two].map((session) => session.events.map((each) => each.type))).toEqual([
      ['x'],
      ['elsewhere'],
    ])
    expect(one.append('y', 1).seq).toBe(1)
  })
})
