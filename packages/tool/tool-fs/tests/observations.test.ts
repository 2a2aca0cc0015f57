import { expect, test } from 'vitest'
import { Observations, versionOf } from '../src/observations.ts'
import { sessionIn } from './support.ts'

test('the version is that of the content', () => {
  expect(versionOf(Buffer.from('abc'))).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
})

test('a session has seen what it recorded, and no other session has', () => {
  const observations = new Observations()
  const session = sessionIn('/')
  expect(observations.check(session, '/f', 'v1')).toBe('none')
  observations.record(session, '/f', 'v1')
  expect(observations.check(session, '/f', 'v1')).toBe('current')
  expect(observations.check(session, '/f', 'v2')).toBe('stale')
  expect(observations.check(session, '/g', 'v1')).toBe('none')
  expect(observations.check(sessionIn('/'), '/f', 'v1')).toBe('none')
  observations.record(session, '/f', 'v2')
  expect(observations.check(session, '/f', 'v2')).toBe('current')
  expect(observations.check(session, '/f', 'v1')).toBe('stale')
})

test('forgets the file that was longest unseen, above 4096', () => {
  const observations = new Observations()
  const session = sessionIn('/')
  for (let index = 0; index < 4096; index += 1) observations.record(session, `/${index}`, 'v')
  observations.record(session, '/0', 'v')
  expect(observations.check(session, '/1', 'v')).toBe('current')
  observations.record(session, '/new', 'v')
  expect(observations.check(session, '/0', 'v')).toBe('current')
  expect(observations.check(session, '/1', 'v')).toBe('none')
  expect(observations.check(session, '/2', 'v')).toBe('current')
})
