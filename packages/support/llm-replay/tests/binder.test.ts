import { describe, expect, it } from 'vitest'
import { type BindableLane, Binder, type LiveCaller, type LiveNode } from '../src/binder.ts'

const lane = (fields: Partial<BindableLane> = {}): BindableLane => ({
  calls: 1,
  parent: undefined,
  child: fields.parent !== undefined,
  place: undefined,
  lineage: undefined,
  ...fields,
})
const node = (session: string, fields: Partial<LiveNode> = {}): LiveNode => ({
  session,
  place: undefined,
  lineage: undefined,
  ...fields,
})
/** A session and its parents; whole unless the last is called `?`. */
function live(...chain: (string | LiveNode)[]): LiveCaller {
  const nodes = chain.map((item) => (typeof item === 'string' ? node(item) : item))
  const whole = nodes.at(-1)?.session !== '?'
  return { chain: nodes as unknown as LiveCaller['chain'], known: true, whole }
}
const unknown = (session: string): LiveCaller => ({ ...live(session), known: false, whole: false })
/** Asks and gives. */
function claim(binder: Binder, caller: LiveCaller): unknown {
  const found = binder.find(caller)
  if (found !== undefined && 'rule' in found) binder.commit(caller, found.lane)
  return found === undefined ? undefined : Object.values(found)
}

describe('sessions of which nothing is known', () => {
  it('get lanes in order of first call, the primary first, until none is left', () => {
    const binder = new Binder([lane(), lane({ parent: 0 }), lane({ parent: 1 })])
    expect(claim(binder, unknown('a'))).toEqual([0, 'primary'])
    expect(claim(binder, unknown('b'))).toEqual([1, 'first-call'])
    expect(claim(binder, unknown('c'))).toEqual([2, 'first-call'])
    expect(claim(binder, unknown('d'))).toBeUndefined()
  })

  it('never get a lane without calls', () => {
    const binder = new Binder([0, 1, 0, 1].map((calls) => lane({ calls })))
    expect(['a', 'b', 'c'].map((id) => claim(binder, unknown(id)))).toEqual([
      [1, 'first-call'],
      [3, 'first-call'],
      undefined,
    ])
  })
})

describe('asking', () => {
  it('changes nothing before the lane is given', () => {
    const binder = new Binder([lane(), lane()])
    for (const id of ['a', 'b']) expect(binder.find(live(id))).toMatchObject({ lane: 0 })
    expect(binder.findByPlace(live('a'))).toBeUndefined()
    expect([binder.holderOf(0), binder.holderOf(1)]).toEqual([undefined, undefined])
    binder.commit(live('b'), 0)
    expect([binder.holderOf(0), binder.holderOf(1)]).toEqual(['b', undefined])
  })

  it('gives a session the lane that it has', () => {
    const binder = new Binder([lane({ place: '0', lineage: '0' }), lane()])
    const placed = node('a', { place: '0', lineage: '0' })
    expect([claim(binder, live(placed)), claim(binder, live(placed))]).toEqual([
      [0, 'lineage'],
      [0, 'lineage'],
    ])
    claim(binder, live('b'))
    expect(claim(binder, live('b'))).toEqual([1, 'first-call'])
  })
})

it('case R2: a child of a session whose lane has no children gets none of another’s', () => {
  const binder = new Binder([lane(), lane({ parent: 0 }), lane({ parent: 0 })])
  claim(binder, live('p'))
  claim(binder, live('c', 'p'))
  expect(claim(binder, live('k', 'c', 'p'))).toBeUndefined()
  expect(binder.find(live('d', 'p'))).toEqual({ lane: 2, rule: 'first-call' })
})

describe('a child whose parent has no lane', () => {
  const family = [lane(), lane({ parent: 0 }), lane({ parent: 1 }), lane({ parent: 2 })]

  it('lies at its own depth, and gives its parents theirs', () => {
    const binder = new Binder(family)
    expect(claim(binder, live('k', 'c', 'p'))).toEqual([2, 'first-call'])
    expect([0, 1, 2, 3].map((at) => binder.holderOf(at))).toEqual(['p', 'c', 'k', undefined])
    expect(binder.find(live('c', 'p'))).toEqual({ lane: 1, rule: 'first-call' })
    expect(claim(binder, live('o', 'p'))).toBeUndefined()
  })

  it('lies no deeper than it is, where the run shows its root', () => {
    const deep = [lane(), lane({ parent: 0, calls: 0 }), lane({ parent: 1 })]
    expect(new Binder(deep).find(live('c', 'p'))).toBeUndefined()
    expect(new Binder(deep).find(live('c', '?'))).toEqual({ lane: 2, rule: 'first-call' })
  })

  it('has no place among roots', () => {
    const binder = new Binder([lane({ place: 'x' })])
    expect(binder.findByPlace(live(node('c', { place: 'x' }), 'p'))).toBeUndefined()
    expect(binder.findByPlace(live(node('p', { place: 'x' })))).toEqual({
      lane: 0,
      rule: 'lineage',
    })
  })

  it('lies anywhere below a root where the run does not show the root', () => {
    const binder = new Binder(family)
    expect(claim(binder, live('c', '?'))).toEqual([1, 'first-call'])
    expect(binder.holderOf(0)).toBe('?')
    const other = new Binder([
      lane({ calls: 0 }),
      lane({ parent: 0, calls: 0 }),
      lane({ parent: 1 }),
    ])
    expect(claim(other, live('c', '?'))).toEqual([2, 'first-call'])
    expect([other.holderOf(1), other.holderOf(0)]).toEqual(['?', undefined])
    // The parent is shown, and it has a parent: so the lane above cannot be a root.
    expect(new Binder(family.slice(0, 2)).find(live('k', 'c', '?'))).toBeUndefined()
  })

  it('lies on a recorded child whose own parent was not recorded', () => {
    const binder = new Binder([lane({ child: true }), lane({ parent: 0 })])
    expect(claim(binder, live('k', 'c', 'p'))).toEqual([0, 'primary'])
    expect(claim(binder, live('x', 'k', 'c', 'p'))).toEqual([1, 'first-call'])
    expect(new Binder([lane()]).find(live('k', 'c', 'p'))).toBeUndefined()
  })

  it('never lies below a lane that is another’s, nor on one', () => {
    const binder = new Binder([lane(), lane({ parent: 0 }), lane({ parent: 0 })])
    claim(binder, live('p'))
    expect(claim(binder, live('x', 'q'))).toBeUndefined()
    claim(binder, live('a', 'p'))
    expect(claim(binder, live('b', 'p'))).toEqual([2, 'first-call'])
  })

  it('never lies below a root that its own root is not', () => {
    const roots = [lane({ calls: 1 }), lane(), lane({ parent: 1, calls: 0 }), lane({ parent: 2 })]
    const binder = new Binder(roots)
    claim(binder, live('p'))
    expect(claim(binder, live('k', 'c', 'p'))).toBeUndefined()
    expect(claim(binder, live('k', 'c', 'q'))).toEqual([3, 'first-call'])
    expect(binder.holderOf(1)).toBe('q')
  })

  it('lies neither at another place nor below one, and at its own first', () => {
    const lanes = [
      lane({ calls: 0 }),
      lane({ parent: 0, place: 'x' }),
      lane({ parent: 0 }),
      lane({ parent: 0, place: 'y' }),
    ]
    const at = (place?: string): unknown => new Binder(lanes).find(live(node('c', { place }), 'p'))
    expect(at('y')).toEqual({ lane: 3, rule: 'first-call' })
    expect(at('z')).toEqual({ lane: 2, rule: 'first-call' })
    expect(at()).toEqual({ lane: 2, rule: 'first-call' })
    const named = [lane({ lineage: '0', calls: 0 }), lane({ parent: 0 })]
    const below = (lineage: string): unknown =>
      new Binder(named).find(live('c', node('p', { lineage })))
    expect(below('1')).toBeUndefined()
    expect(below('0')).toEqual({ lane: 1, rule: 'first-call' })
  })
})

describe('a session that was loaded', () => {
  const resumed = (caller: LiveCaller, ...lanes: number[]): LiveCaller => ({
    ...caller,
    resumes: (at) => lanes.includes(at),
  })

  it('gets the lane with which its log begins, which need not be the next', () => {
    const binder = new Binder([lane(), lane(), lane({ place: '7' })])
    expect(claim(binder, resumed(live('b'), 1))).toEqual([1, 'resumed'])
    expect(claim(binder, resumed(live('c'), 1, 2))).toEqual([2, 'resumed'])
    expect(claim(binder, resumed(live('d'), 1, 2))).toBeUndefined()
    expect(claim(binder, live('a'))).toEqual([0, 'primary'])
  })

  it('gets it also as a child whose parent was not', () => {
    const lanes = [lane(), lane({ parent: 0 }), lane({ parent: 0 })]
    expect(claim(new Binder(lanes), resumed(live('c', '?'), 2))).toEqual([2, 'resumed'])
    expect(claim(new Binder(lanes), resumed(live('c', '?')))).toBeUndefined()
  })

  it('keeps its place where it has one, whatever its log', () => {
    const binder = new Binder([lane(), lane({ place: '1', lineage: '1' })])
    const placed = live(node('a', { place: '1', lineage: '1' }))
    expect(claim(binder, resumed(placed, 0))).toEqual([1, 'lineage'])
  })
})
