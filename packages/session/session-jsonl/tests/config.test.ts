import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { Config, resolveRoot } from '../src/index.ts'

const home = (): string => '/home/me'

test('everything has a default', () => {
  expect(Config.parse(undefined)).toEqual({})
  const all = { root: '/logs', packChunks: true }
  expect(Config.parse(all)).toEqual(all)
})

test.each([{ root: '' }, { root: 5 }, { roots: '/logs' }, { packChunks: 'yes' }, null])(
  'refuses %j',
  (config) => {
    expect(Config.safeParse(config).success).toBe(false)
  },
)

test('configuration beats environment beats the home folder', () => {
  const env = { DSH_SNAPSHOT_SESSIONS_ROOT: '/env' }
  expect(resolveRoot({ root: '/config' }, env, home)).toBe('/config')
  expect(resolveRoot({}, env, home)).toBe('/env')
  expect(resolveRoot({}, { DSH_SNAPSHOT_SESSIONS_ROOT: '' }, home)).toBe('/home/me/.dsh/sessions')
  expect(resolveRoot({}, {}, home)).toBe('/home/me/.dsh/sessions')
})

test('a relative root is taken from the working folder', () => {
  expect(resolveRoot({ root: 'logs' }, {}, home)).toBe(resolve('logs'))
  expect(resolveRoot({}, { DSH_SNAPSHOT_SESSIONS_ROOT: 'logs' }, home)).toBe(resolve('logs'))
})

test('looks at the process where nothing is given', () => {
  expect(resolveRoot({}).startsWith('/')).toBe(true)
})
