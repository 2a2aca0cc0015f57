import { expect, test } from 'vitest'
import { Config, settingsOf } from '../src/config.ts'

test.each([
  [{}, 'inherit', 'inherit'],
  [{ DSH_SNAPSHOT: '' }, 'inherit', 'inherit'],
  [{ DSH_SNAPSHOT: 'record' }, 'scrubbed', 'inherit'],
  [{ DSH_SNAPSHOT: 'replay' }, 'scrubbed', 'none'],
])('in %j the environment is %s and the network %s', (env, environment, network) => {
  expect(settingsOf(Config.parse(undefined), env)).toEqual({ environment, network })
})

test('the configuration wins', () => {
  const replay = { DSH_SNAPSHOT: 'replay' }
  expect(settingsOf({ environment: 'inherit', network: 'inherit' }, replay)).toEqual({
    environment: 'inherit',
    network: 'inherit',
  })
  expect(settingsOf({ environment: 'scrubbed', network: 'none' }, {})).toEqual({
    environment: 'scrubbed',
    network: 'none',
  })
})

test.each([{ extra: 1 }, { environment: 'all' }, { network: true }])('refuses %j', (config) => {
  expect(Config.safeParse(config).success).toBe(false)
})
