import { describe, expect, it } from 'vitest'
import { installLlmReplay } from '../src/index.ts'
import { steps, tempFolder } from './helpers/log.ts'
import { child, place, root, tree } from './helpers/tree.ts'

const folder = tempFolder()
const at = (call: number, index = 0) => place({ call, index })

/** A root with three children, recorded with places; `createdAt` says the opposite order. */
const placed = [
  root('r', steps('p1', 'p2'), { root: 0, createdAt: 9 }),
  child('a', 'r', steps('a1', 'a2'), { spawnedBy: at(0), createdAt: 3 }),
  child('b', 'r', steps('b1'), { spawnedBy: at(1, 0), createdAt: 2 }),
  child('c', 'r', steps('c1'), { spawnedBy: at(1, 1), createdAt: 1 }),
]

describe('binding by lineage', () => {
  it('happens at creation, and is in the report then, with both lineages', async () => {
    const run = await tree(folder, placed)
    expect(run.reported('loaded').map(({ lane, lineage }) => [lane, lineage])).toEqual([
      [0, '0'],
      [1, '0/1.1.0.0'],
      [2, '0/1.1.1.0'],
      [3, '0/1.1.1.1'],
    ])
    const p = run.make(undefined, { root: 0 })
    const c = run.make(p, { spawnedBy: at(1, 1) })
    expect(run.reported('bound')).toEqual([
      { event: 'bound', lane: 0, session: p, rule: 'lineage', lineage: '0' },
      { event: 'bound', lane: 3, session: c, rule: 'lineage', lineage: '0/1.1.1.1' },
    ])
    expect(run.reported('served')).toEqual([])
  })

  it('case R5: siblings that arrive in any order get their own answers; createdAt decides nothing', async () => {
    const run = await tree(folder, placed)
    const p = run.make(undefined, { root: 0 })
    const c = run.make(p, { spawnedBy: at(1, 1) })
    const a = run.make(p, { spawnedBy: at(0) })
    const b = run.make(p, { spawnedBy: at(1, 0) })
    expect(await run.say(b)).toBe('b1')
    expect(await run.say(a)).toBe('a1')
    expect(await run.say(p)).toBe('p1')
    expect(await run.say(c)).toBe('c1')
    expect(await run.say(a)).toBe('a2')
    expect(await run.say(p)).toBe('p2')
    run.dispose()
    expect(run.reported('left').map(({ left }) => left)).toEqual([0, 0, 0, 0])
  })

  it('compares numbers, not text: call 10 comes after call 9', async () => {
    const run = await tree(folder, [
      root('r', [], { root: 0 }),
      child('x', 'r', steps('ten'), { spawnedBy: at(10) }),
      child('y', 'r', steps('nine'), { spawnedBy: at(9) }),
    ])
    expect(run.reported('loaded').map(({ lineage }) => lineage)).toEqual([
      '0',
      '0/1.1.9.0',
      '0/1.1.10.0',
    ])
    const p = run.make(undefined, { root: 0 })
    expect(await run.say(run.make(p, { spawnedBy: at(10) }))).toBe('ten')
    expect(await run.say(run.make(p, { spawnedBy: at(9) }))).toBe('nine')
  })

  it('does not look at the call id, which providers repeat and vary', async () => {
    const run = await tree(folder, [
      root('r', [], { root: 0 }),
      child('a', 'r', steps('a'), { spawnedBy: { ...at(0), callId: 'x' } }),
      child('b', 'r', steps('b'), { spawnedBy: { ...at(1), callId: 'x' } }),
    ])
    const p = run.make(undefined, { root: 0 })
    expect(await run.say(run.make(p, { spawnedBy: { ...at(1), callId: 'y' } }))).toBe('b')
    expect(await run.say(run.make(p, { spawnedBy: at(0) }))).toBe('a')
  })

  it('tells what plugins start from what calls start, down the tree', async () => {
    const plugin = place({ plugin: 'cron' })
    const run = await tree(folder, [
      root('r', steps('r'), { root: 0 }),
      child('a', 'r', steps('a'), { spawnedBy: at(0) }),
      child('p', 'r', steps('p'), { spawnedBy: plugin }),
      child('ap', 'a', steps('ap'), { spawnedBy: plugin }),
      child('pa', 'p', steps('pa'), { spawnedBy: at(0) }),
    ])
    const r = run.make(undefined, { root: 0 })
    const p = run.make(r, { spawnedBy: plugin })
    const pa = run.make(p, { spawnedBy: at(0) })
    const a = run.make(r, { spawnedBy: at(0) })
    const ap = run.make(a, { spawnedBy: plugin })
    const said = []
    for (const session of [pa, ap, p, a, r]) said.push(await run.say(session))
    expect(said).toEqual(['pa', 'ap', 'p', 'a', 'r'])
  })

  it('knows two roots by their ordinals, and their children with them', async () => {
    const run = await tree(folder, [
      root('r0', steps('r0'), { root: 0 }),
      root('r1', steps('r1'), { root: 1 }),
      child('k1', 'r1', steps('k1'), { spawnedBy: at(0) }),
      child('k0', 'r0', steps('k0'), { spawnedBy: at(0) }),
    ])
    const one = run.make(undefined, { root: 1 })
    const zero = run.make(undefined, { root: 0 })
    expect(await run.say(run.make(one, { spawnedBy: at(0) }))).toBe('k1')
    expect(await run.say(one)).toBe('r1')
    expect(await run.say(run.make(zero, { spawnedBy: at(0) }))).toBe('k0')
    expect(await run.say(zero)).toBe('r0')
  })

  it('gives lanes without calls too, and exhausts them like others', async () => {
    const run = await tree(folder, [
      root('r', [], { root: 0 }),
      child('a', 'r', [], { spawnedBy: at(0) }),
      child('b', 'r', steps('b'), { spawnedBy: at(1) }),
    ])
    const p = run.make(undefined, { root: 0 })
    const a = run.make(p, { spawnedBy: at(0) })
    expect(run.reported('bound').map(({ lane, rule }) => [lane, rule])).toEqual([
      [0, 'lineage'],
      [1, 'lineage'],
    ])
    expect(await run.refusal(a)).toContain(
      `llm-replay: script exhausted: session ${a} makes model call 1, but lane 1 (${run.files[1]}, lineage 0/1.1.0.0) holds 0 recorded calls. ` +
        `Free: lane 2 (${run.files[2]}, lineage 0/1.1.1.0): 1 of 1 call left. If`,
    )
  })

  it('binds at the first call what is older than the replay, and its parents with it', async () => {
    const run = await tree(folder, placed)
    run.dispose()
    const p = run.make(undefined, { root: 0 })
    const c = run.make(p, { spawnedBy: at(1, 1) })
    const [file = '', ...childFiles] = run.files
    const { reportFile } = run
    installLlmReplay(run.ctx, { file, childFiles, reportFile })
    expect(await run.say(c)).toBe('c1')
    expect(await run.say(p)).toBe('p1')
    expect(run.reported('bound')).toEqual([
      { event: 'bound', lane: 3, session: c, rule: 'lineage', lineage: '0/1.1.1.1' },
      { event: 'bound', lane: 0, session: p, rule: 'lineage', lineage: '0' },
    ])
  })
})

describe('a session that fits no lane', () => {
  it('case R5: is refused when it calls, with its lineage and the lanes, the nearest first', async () => {
    const run = await tree(folder, [
      ...placed,
      child('d', 'a', [], { spawnedBy: at(0) }),
      child('e', 'b', steps('e'), { spawnedBy: at(0) }),
    ])
    const p = run.make(undefined, { root: 0 })
    const a = run.make(p, { spawnedBy: at(0) })
    const b = run.make(p, { spawnedBy: at(1) })
    await run.say(a)
    await run.say(b)
    const stray = run.make(b, { spawnedBy: at(7) })
    expect(run.reported('refused')).toEqual([])
    expect(await run.refusal(stray)).toBe(
      'llm-replay: a model call arrived from an unrecorded session (#1): expected 5 recorded sessions that ' +
        `call the model, and session ${stray} (lineage 0/1.1.1.0/1.1.7.0, started by session ${b}) is none of them. ` +
        `Free: lane 4 (${run.files[5]}, lineage 0/1.1.1.0/1.1.0.0): 1 of 1 call left; ` +
        `lane 2 (${run.files[4]}, lineage 0/1.1.0.0/1.1.0.0): holds no calls; ` +
        `lane 5 (${run.files[3]}, lineage 0/1.1.1.1): 1 of 1 call left. ` +
        `In use: lane 0 (${run.files[0]}, lineage 0): 2 of 2 calls left, session ${p}; ` +
        `lane 1 (${run.files[1]}, lineage 0/1.1.0.0): 1 of 2 calls left, session ${a}. ` +
        `Used up: lane 3 (${run.files[2]}, lineage 0/1.1.1.0): session ${b}. ` +
        'If the agent is meant to do this now, record the scenario again.',
    )
    expect(run.reported('refused')).toMatchObject([{ code: 'UNRECORDED_SESSION', session: stray }])
  })

  it('is refused nothing when it never calls', async () => {
    const run = await tree(folder, placed)
    run.make(run.make(undefined, { root: 0 }), { spawnedBy: at(7) })
    run.make(undefined, { root: 5 })
    run.dispose()
    expect(run.reported('refused')).toEqual([])
    expect(run.reported('bound')).toHaveLength(1)
  })

  it('case R2: is not given the lane of a session of another place, however free', async () => {
    const run = await tree(folder, placed)
    expect(await run.refusal(run.make(undefined, { root: 1 }))).toContain(
      '(lineage 1) is none of them. Free: lane 0',
    )
  })
})

describe('a lane that is taken', () => {
  it('is an error of its own', async () => {
    const run = await tree(folder, placed)
    const p = run.make(undefined, { root: 0 })
    const first = run.make(p, { spawnedBy: at(0) })
    const second = run.make(p, { spawnedBy: at(0) })
    expect(run.reported('refused')).toEqual([])
    expect(await run.refusal(second)).toMatch(
      `llm-replay: lane taken: session ${second} (lineage 0/1.1.0.0, started by session ${p}) has the place of ` +
        `lane 1 (${run.files[1]}, lineage 0/1.1.0.0), which session ${first} has already. Free: lane 2`,
    )
    expect(run.reported('refused')).toMatchObject([{ code: 'LANE_TAKEN', session: second }])
    expect(await run.say(first)).toBe('a1')
  })

  it('keeps out the children of a session whose place is taken', async () => {
    const run = await tree(folder, placed)
    const first = run.make(undefined, { root: 0 })
    const second = run.make(undefined, { root: 0 })
    const stray = run.make(second, { spawnedBy: at(0) })
    expect(await run.refusal(stray)).toContain(
      `has the place of lane 1 (${run.files[1]}, lineage 0/1.1.0.0), whose parent's lane session ${first} has already.`,
    )
    expect(await run.say(run.make(first, { spawnedBy: at(0) }))).toBe('a1')
  })
})

describe('where lineage is not recorded', () => {
  const old = [
    root('r', steps('p1', 'p2')),
    child('b', 'r', steps('b'), { createdAt: 2 }),
    child('a', 'r', steps('a'), { createdAt: 1 }),
    child('ak', 'a', steps('ak'), { createdAt: 4 }),
    child('bk', 'b', steps('bk'), { createdAt: 3 }),
  ]

  it('the order of first calls decides among the children of one parent', async () => {
    const run = await tree(folder, old)
    const p = run.make(undefined, { root: 0 })
    expect(await run.say(p)).toBe('p1')
    const x = run.make(p, { spawnedBy: at(1) })
    const y = run.make(p, { spawnedBy: at(0) })
    const yk = run.make(y, { spawnedBy: at(0) })
    expect(await run.say(x)).toBe('a')
    expect(await run.say(y)).toBe('b')
    expect(await run.say(yk)).toBe('bk')
    expect(await run.say(run.make(x))).toBe('ak')
    expect(run.reported('bound').map(({ lane, rule, lineage }) => [lane, rule, lineage])).toEqual([
      [0, 'primary', '0'],
      [1, 'first-call', '0/1.1.1.0'],
      [2, 'first-call', '0/1.1.0.0'],
      [3, 'first-call', '0/1.1.0.0/1.1.0.0'],
      [4, 'first-call', undefined],
    ])
  })

  it('case R2: a child does not take the lane of another parent’s child', async () => {
    const run = await tree(folder, old)
    const p = run.make()
    await run.say(p)
    const a = run.make(p)
    await run.say(a)
    await run.say(run.make(a))
    expect(await run.refusal(run.make(a))).toContain('(lineage not known, started by session')
    expect(await run.refusal(run.make())).toContain('(lineage not known) is none of them')
  })

  it('a lane without calls is not claimed, unless by its children', async () => {
    const run = await tree(folder, [
      root('r', []),
      child('e', 'r', []),
      child('k', 'e', steps('k')),
      child('z', 'r', steps('z'), { createdAt: 9 }),
    ])
    const p = run.make()
    const e = run.make(p)
    const k = run.make(e)
    expect(await run.say(k)).toBe('k')
    expect(await run.say(run.make(p))).toBe('z')
    // Their lanes were decided by the child.
    expect(await run.refusal(e)).toContain('script exhausted')
    expect(run.reported('bound').map(({ lane, session, rule }) => [lane, session, rule])).toEqual([
      [2, k, 'first-call'],
      [3, expect.any(String), 'first-call'],
      [1, e, 'first-call'],
    ])
  })

  it('a child may call before its parent, which then has its lane', async () => {
    const run = await tree(folder, old)
    const p = run.make()
    const a = run.make(p)
    const ak = run.make(a)
    expect(await run.say(ak)).toBe('bk')
    expect(await run.say(run.make(p))).toBe('a')
    expect(await run.say(a)).toBe('b')
    expect(await run.say(p)).toBe('p1')
  })
})

describe('where lineage is known in part', () => {
  it('the place under a parent that has its lane decides, without a root’s ordinal', async () => {
    const run = await tree(folder, [
      root('r', steps('r')),
      child('a', 'r', steps('a'), { spawnedBy: at(0), createdAt: 1 }),
      child('b', 'r', steps('b'), { spawnedBy: at(1), createdAt: 2 }),
    ])
    const p = run.make(undefined, { root: 0 })
    const late = run.make(p, { spawnedBy: at(1) })
    await run.say(p)
    expect(await run.say(run.make(p, { spawnedBy: at(1) }))).toBe('b')
    expect(await run.refusal(late)).toContain('lane taken: ')
    expect(run.reported('bound').map(({ lane, rule }) => [lane, rule])).toEqual([
      [0, 'primary'],
      [2, 'lineage'],
    ])
  })

  const mixed = [
    root('r', steps('r'), { root: 0 }),
    child('old', 'r', steps('old'), { createdAt: 1 }),
    child('new', 'r', steps('new'), { spawnedBy: at(0), createdAt: 0 }),
  ]

  it('a placed session takes its place, else a lane without one, never another’s place', async () => {
    const run = await tree(folder, mixed)
    const p = run.make(undefined, { root: 0 })
    expect(await run.say(run.make(p, { spawnedBy: at(5) }))).toBe('old')
    expect(await run.refusal(run.make(p, { spawnedBy: at(6) }))).toContain('unrecorded session')
    expect(await run.say(run.make(p, { spawnedBy: at(0) }))).toBe('new')
  })

  it('a session without a place takes a lane without one first, then one that is left', async () => {
    const run = await tree(folder, mixed)
    const p = run.make(undefined, { root: 0 })
    expect(await run.say(run.make(p))).toBe('old')
    expect(await run.say(run.make(p))).toBe('new')
    expect(await run.refusal(run.make(p))).toContain('unrecorded session')
    expect(await run.refusal(run.make(p, { spawnedBy: at(0) }))).toContain('lane taken')
  })

  it('a root without an ordinal takes the one root, by its first call', async () => {
    const run = await tree(folder, mixed)
    const p = run.make()
    expect(run.reported('bound')).toEqual([])
    expect(await run.say(p)).toBe('r')
    expect(run.reported('bound')).toEqual([
      { event: 'bound', lane: 0, session: p, rule: 'primary' },
    ])
  })
})
