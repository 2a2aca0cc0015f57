import { expect, it } from 'vitest'
import { SpineConfig } from '../src/index.ts'

it('is nothing by default, and takes each of its parts', () => {
  expect(SpineConfig.parse(undefined)).toEqual({ agent: {} })
  const whole = { sessionsRoot: 'logs', packChunks: true, agent: { model: 'm' } }
  expect(SpineConfig.parse(whole)).toEqual(whole)
})

it.each([
  [{ packChunk: true }, 'packChunk'],
  [{ sessionsRoot: '' }, 'sessionsRoot'],
  [{ packChunks: 'yes' }, 'packChunks'],
  [{ agent: { modle: 'm' } }, 'modle'],
])('refuses %j', (config, named) => {
  expect(SpineConfig.safeParse(config).error?.message).toContain(named)
})
