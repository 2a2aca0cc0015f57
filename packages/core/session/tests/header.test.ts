import { describe, expect, test } from 'vitest'
import {
  buildHeader,
  headerProblem,
  orderHeader,
  parseHeaderLine,
  serializeHeader,
} from '../src/index.ts'
import { id } from './support.ts'

const minimal = { type: 'session', id: 'a', createdAt: 0 }

test('builds all keys in the order of the format, frozen, and omits what is absent', () => {
  const full = buildHeader({
    root: 2,
    spawnedBy: { callId: 'c', index: 4, call: 3, step: 2, turn: 1 },
    seedLength: 6,
    parentSession: id('p'),
    cwd: '/w',
    createdAt: 9,
    id: id('a'),
  })
  expect(JSON.stringify(full)).toBe(
    '{"type":"session","version":0,"id":"a","createdAt":9,"cwd":"/w","parentSession":"p","seedLength":6,' +
      '"spawnedBy":{"turn":1,"step":2,"call":3,"index":4,"callId":"c"},"root":2}',
  )
  expect(Object.isFrozen(full)).toBe(true)
  expect(Object.isFrozen(full.spawnedBy)).toBe(true)
  const small = buildHeader({ id: id('a'), createdAt: 9, cwd: undefined })
  expect(Object.keys(small)).toEqual(['type', 'version', 'id', 'createdAt'])
})

test('omits what is absent, in whatever order the rest is', () => {
  const spawnedBy = { turn: 1, step: 2, call: 0, plugin: undefined, index: 0 }
  expect(orderHeader({ id: 'a', cwd: undefined, spawnedBy })).toStrictEqual({
    id: 'a',
    spawnedBy: { turn: 1, step: 2, call: 0, index: 0 },
  })
  expect(orderHeader({ cwd: undefined, root: 0, id: 'a' })).toStrictEqual({ id: 'a', root: 0 })
})

test('orders a place given by a plugin', () => {
  const spawnedBy = { index: 0, plugin: 'p', step: 2, turn: 1 }
  expect(JSON.stringify(orderHeader({ spawnedBy }))).toBe(
    '{"spawnedBy":{"turn":1,"step":2,"plugin":"p","index":0}}',
  )
})

test('keeps unknown keys where they stand among known ones in order', () => {
  const line =
    '{"type":"session","version":0,"id":"a","later":1,"createdAt":0,' +
    '"spawnedBy":{"turn":1,"why":"x","step":1,"call":0,"index":0},"origin":"o","root":0}'
  expect(serializeHeader(parseHeaderLine(line))).toBe(line)
})

test('keeps unknown keys, after known ones out of order, in the order in which they came', () => {
  const header = { zeta: 1, ...minimal, cwd: '/w', version: 0, alpha: { b: 1, a: 2 } }
  expect(serializeHeader(orderHeader(header))).toBe(
    '{"type":"session","version":0,"id":"a","createdAt":0,"cwd":"/w","zeta":1,"alpha":{"b":1,"a":2}}',
  )
})

describe('headerProblem', () => {
  const place = { turn: 1, step: 1, index: 0 }
  test.each([
    {},
    { cwd: '{{cwd}}' },
    { parentSession: 'p', seedLength: 0, root: 0 },
    { spawnedBy: { ...place, call: 0 } },
    { spawnedBy: { ...place, plugin: 'p', callId: 'c' } },
    { unknown: null },
  ])('accepts %j', (extra) => {
    expect(headerProblem({ ...minimal, ...extra })).toBeUndefined()
  })

  test.each<[object, string]>([
    [{ type: 'turn/start' }, '"type" must be "session"'],
    [{ id: '' }, '"id" must be a non-empty string'],
    [{ id: 5 }, '"id" must be a non-empty string'],
    [{ createdAt: -1 }, '"createdAt" must be epoch milliseconds'],
    [{ createdAt: undefined }, '"createdAt" must be epoch milliseconds'],
    [{ cwd: null }, '"cwd" must be a non-empty string'],
    [{ parentSession: null }, '"parentSession" must be a non-empty string'],
    [{ seedLength: 1.5 }, '"seedLength" must be a non-negative integer'],
    [{ root: null }, '"root" must be a non-negative integer'],
  ])('refuses %j', (extra, expected) => {
    expect(headerProblem({ ...minimal, ...extra })).toBe(expected)
  })

  test.each([
    null,
    5,
    { ...place },
    { ...place, call: 0, plugin: 'p' },
    { ...place, call: '0' },
    { ...place, plugin: '' },
    { ...place, call: 0, turn: -1 },
    { ...place, call: 0, step: '1' },
    { ...place, call: 0, index: undefined },
    { ...place, call: 0, callId: '' },
  ])('refuses the place %j', (spawnedBy) => {
    expect(headerProblem({ ...minimal, spawnedBy })).toBe(
      '"spawnedBy" must be {turn, step, call or plugin, index, callId?}',
    )
  })
})
