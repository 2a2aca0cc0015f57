import { describe, expect, it } from 'vitest'
import { placeKey } from '../src/place.ts'

const spawned = (fields: object) =>
  placeKey({
    parentSession: 'p',
    spawnedBy: { turn: 1, step: 2, call: 3, index: 4, ...fields },
  })

describe('placeKey', () => {
  it('is the ordinal of a root', () => {
    expect([placeKey({ root: 0 }), placeKey({ root: 12 }), placeKey({})]).toEqual([
      '0',
      '12',
      undefined,
    ])
  })

  it('is equal where the numbers are, whatever the call id', () => {
    expect(spawned({ callId: 'x' })).toBe(spawned({}))
    const all = [{}, { turn: 2 }, { step: 3 }, { call: 4 }, { index: 5 }, { call: 31, index: 4 }]
    expect(new Set(all.map(spawned)).size).toBe(all.length)
  })

  it('of a child is never that of a root, and undefined where its header does not say', () => {
    expect(spawned({})).toContain('/')
    expect(placeKey({ parentSession: 'p', root: 0 })).toBeUndefined()
  })
})
