import { describe, expect, it } from 'vitest'
import { createBinder } from '../src/binder.ts'

const lanes = (...calls: number[]): { calls: number }[] => calls.map((count) => ({ calls: count }))
const fresh = (
  session: string | undefined,
): { session: string | undefined; earlierCalls: number } => ({
  session,
  earlierCalls: 0,
})

describe('createBinder', () => {
  it('gives lanes in order of first call, the primary first, until none is left', () => {
    const bind = createBinder(lanes(2, 1, 1))
    expect(bind(fresh('a'))).toEqual({ lane: 0, rule: 'primary', after: 0 })
    expect(bind(fresh('b'))).toEqual({ lane: 1, rule: 'first-call', after: 0 })
    expect(bind(fresh('c'))).toEqual({ lane: 2, rule: 'first-call', after: 0 })
    expect(bind(fresh('d'))).toBeUndefined()
  })

  it('never gives a lane without calls', () => {
    const bind = createBinder(lanes(0, 1, 0, 1))
    expect(bind(fresh('a'))).toEqual({ lane: 1, rule: 'first-call', after: 0 })
    expect(bind(fresh('b'))).toEqual({ lane: 3, rule: 'first-call', after: 0 })
    expect(bind(fresh('c'))).toBeUndefined()
  })

  it('gives anonymous calls the primary and takes it from nobody', () => {
    const bind = createBinder(lanes(1))
    const anonymous = { lane: 0, rule: 'anonymous', after: 0 }
    expect(bind(fresh(undefined))).toEqual(anonymous)
    expect(bind(fresh('a'))).toEqual({ lane: 0, rule: 'primary', after: 0 })
    expect(bind(fresh(undefined))).toEqual(anonymous)
    expect(bind(fresh('b'))).toBeUndefined()
  })

  it('lets a resumed session start after its earlier calls', () => {
    const bind = createBinder(lanes(3, 2))
    expect(bind({ session: 'a', earlierCalls: 2 })).toEqual({ lane: 0, rule: 'resumed', after: 2 })
    expect(bind({ session: 'b', earlierCalls: 1 })).toEqual({ lane: 1, rule: 'resumed', after: 1 })
    expect(bind({ session: 'c', earlierCalls: 1 })).toBeUndefined()
  })
})
