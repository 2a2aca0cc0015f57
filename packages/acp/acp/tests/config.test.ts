import { describe, expect, it } from 'vitest'
import { firstRootOf } from '../src/config.ts'
import { Config } from '../src/index.ts'
import { PLACE, rig } from './rig.ts'

describe('the first root', () => {
  it.each([
    [{}, {}, 0],
    [{}, { DSH_SNAPSHOT_FIRST_ROOT: '' }, 0],
    [{}, { DSH_SNAPSHOT_FIRST_ROOT: '3' }, 3],
    [{ firstRoot: 0 }, { DSH_SNAPSHOT_FIRST_ROOT: '3' }, 0],
    [{ firstRoot: 2 }, { DSH_SNAPSHOT_FIRST_ROOT: 'x' }, 2],
  ])('of %j and %j is %d', (config, env, first) => {
    expect(firstRootOf(config, env)).toBe(first)
  })

  it.each(['-1', '1.5', 'x', '0x1', '99999999999999999999'])('refuses %j', (text) => {
    expect(() => firstRootOf({}, { DSH_SNAPSHOT_FIRST_ROOT: text })).toThrow(
      `DSH_SNAPSHOT_FIRST_ROOT must be a whole number from 0, got "${text}"`,
    )
  })

  it('is where the numbers of sessions begin', async () => {
    const r = await rig([], { config: { firstRoot: 4 } })
    await r.client.agent.request('session/new', PLACE)
    await r.client.agent.request('session/new', PLACE)
    expect(r.ctx.sessions.list().map(({ header }) => header.root)).toEqual([4, 5])
  })

  it('is a count in the configuration', () => {
    expect(Config.safeParse({ firstRoot: -1 }).success).toBe(false)
    expect(Config.parse({ firstRoot: 1 })).toEqual({ firstRoot: 1 })
  })
})
