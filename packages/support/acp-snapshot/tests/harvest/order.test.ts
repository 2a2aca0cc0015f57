import { expect, it } from 'vitest'
import { orderSessions } from '../../src/harvest/order.ts'
import type { LogHeader } from '../../src/log/header.ts'

type More = Partial<LogHeader>
const session = (id: string, createdAt: number, more: More = {}) => ({
  header: { id, createdAt, ...more },
})
const names = (sessions: readonly { header: LogHeader }[]) =>
  orderSessions(sessions)
    .map(({ header }) => header.id)
    .join(' ')
const place = (turn: number, step: number, call: number, index = 0) => ({ turn, step, call, index })

it('puts the session without a parent first, whenever it was made', () => {
  expect(names([session('c', 1, { parentSession: 'p' }), session('p', 9)])).toBe('p c')
})

it('orders children by creation, then by id, where no place is known', () => {
  const child = (id: string, at: number) => session(id, at, { parentSession: 'p' })
  expect(names([child('d', 3), child('c', 2), child('b', 2), child('a', 5), session('p', 0)])).toBe(
    'p b c d a',
  )
})

it('orders children by place where all have one, numerically', () => {
  const child = (id: string, spawnedBy: LogHeader['spawnedBy']) =>
    session(id, 0, { parentSession: 'p', ...(spawnedBy && { spawnedBy }) })
  const children = [
    child('a', place(10, 1, 0)),
    child('b', place(2, 10, 0)),
    child('c', place(2, 9, 10)),
    child('d', place(2, 9, 2, 10)),
    child('e', place(2, 9, 2, 9)),
    child('f', place(1, 50, 50, 50)),
  ]
  expect(names([session('p', 0), ...children])).toBe('p f e d c b a')
})

it('puts what plugins start after what the calls of the step start, by name', () => {
  const child = (id: string, spawnedBy: object) =>
    session(id, 0, { parentSession: 'p', spawnedBy: { turn: 1, step: 1, ...spawnedBy } as never })
  const children = [
    child('y', { plugin: 'hooks', index: 1 }),
    child('z', { plugin: 'titles', index: 0 }),
    child('x', { plugin: 'hooks', index: 0 }),
    child('w', { call: 9, index: 0 }),
  ]
  expect(names([session('p', 0), ...children])).toBe('p w x y z')
  expect(names([session('p', 0), ...children.toReversed()])).toBe('p w x y z')
})

it('falls back to creation for a family in which one has no place', () => {
  const children = [
    session('a', 3, { parentSession: 'p', spawnedBy: place(1, 1, 0) }),
    session('b', 1, { parentSession: 'p', spawnedBy: place(1, 1, 1) }),
    session('c', 2, { parentSession: 'p' }),
  ]
  expect(names([session('p', 0), ...children])).toBe('p b c a')
})

it('goes depth first, and by the number of the root', () => {
  const all = [
    session('r1', 1, { root: 1 }),
    session('r0', 2, { root: 0 }),
    session('c2', 4, { parentSession: 'r0' }),
    session('c1', 3, { parentSession: 'r0' }),
    session('g1', 9, { parentSession: 'c1' }),
    session('k', 0, { parentSession: 'r1' }),
  ]
  expect(names(all)).toBe('r0 c1 g1 c2 r1 k')
})

it('orders roots without numbers by creation', () => {
  expect(names([session('b', 2, { root: 0 }), session('a', 1)])).toBe('a b')
})

it('puts orphans last, and loses none to a circle', () => {
  const all = [
    session('o', 0, { parentSession: 'gone' }),
    session('x', 0, { parentSession: 'y' }),
    session('y', 1, { parentSession: 'x' }),
    session('p', 5),
  ]
  expect(names(all)).toBe('p o x y')
})

it('does not change its argument', () => {
  const all = [session('b', 2), session('a', 1)]
  orderSessions(all)
  expect(all.map(({ header }) => header.id)).toEqual(['b', 'a'])
})
