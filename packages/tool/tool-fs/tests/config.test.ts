import { expect, test } from 'vitest'
import { Config, settingsOf } from '../src/config.ts'

test('nothing needs to be configured', () => {
  expect(Config.parse(undefined)).toEqual({})
  expect(settingsOf({})).toEqual({
    allowOutsideCwd: false,
    roots: [],
    maxReadBytes: 268_435_456,
    maxEditBytes: 16_777_216,
  })
})

test('what is configured holds', () => {
  const config = { allowOutsideCwd: true, roots: ['/x'], maxReadBytes: 1, maxEditBytes: 2 }
  expect(settingsOf(Config.parse(config))).toEqual(config)
})

test.each([
  { extra: 1 },
  { allowOutsideCwd: 'yes' },
  { roots: [''] },
  { roots: '/x' },
  { maxReadBytes: 0 },
  { maxEditBytes: 1.5 },
])('refuses %j', (config) => {
  expect(Config.safeParse(config).success).toBe(false)
})
