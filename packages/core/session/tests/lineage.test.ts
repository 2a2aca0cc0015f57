import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  compareLineages,
  comparePlaces,
  formatLineage,
  type Lineage,
  type LineageHeader,
  lineageOf,
  parseLineage,
  type Place,
} from '../src/index.ts'

const call = (turn: number, step: number, position: number, index: number): Place => ({
  turn,
  step,
  call: position,
  index,
})
const plugin = (turn: number, step: number, name: string, index: number): Place => ({
  turn,
  step,
  plugin: name,
  index,
})

describe('the text of a lineage', () => {
  it.each<[string, Lineage]>([
    ['0', { root: 0, path: [] }],
    ['12', { root: 12, path: [] }],
    ['0/1.2.0.1', { root: 0, path: [call(1, 2, 0, 1)] }],
    ['3/1.2.0.1/10.1.4.0', { root: 3, path: [call(1, 2, 0, 1), call(10, 1, 4, 0)] }],
    ['0/0.0.compaction.0', { root: 0, path: [plugin(0, 0, 'compaction', 0)] }],
    ['0/1.1.a~002Eb~002Fc~0020~007E.0', { root: 0, path: [plugin(1, 1, 'a.b/c ~', 0)] }],
    ['0/1.1.~00370.2', { root: 0, path: [plugin(1, 1, '70', 2)] }],
    ['0/1.1.~00E9~D83D~DE00.0', { root: 0, path: [plugin(1, 1, 'é😀', 0)] }],
  ])('%s', (text, lineage) => {
    expect(formatLineage(lineage)).toBe(text)
    expect(parseLineage(text)).toEqual(lineage)
  })

  it.each([
    '',
    '/',
    'x',
    '-1',
    '01',
    '1.5',
    '0/',
    '0/1.2.0',
    '0/1.2.0.1.2',
    '0/1.2..1',
    '0/1.x.0.1',
    '0/x.1.0.1',
    '0/1.1.0.x',
    '0/1.2.0.1/',
    '0/01.2.0.1',
    '0/1.1.a b.0',
    '0/1.1.~0041.0',
    '0/1.1.~00e9.0',
    '0/1.1.7a.0',
    '9007199254740992',
    ' 0',
    '0 ',
  ])('%j is none', (text) => {
    expect(parseLineage(text)).toBeUndefined()
  })

  it('comes back whole, is printable ASCII, and differs for different lineages', () => {
    const count = fc.oneof(fc.nat(3), fc.maxSafeNat())
    const place = fc.oneof(
      fc.record({ turn: count, step: count, call: count, index: count }),
      fc.record({
        turn: count,
        step: count,
        plugin: fc.string({ minLength: 1, unit: 'binary' }),
        index: count,
      }),
    )
    const lineage = fc.record({ root: count, path: fc.array(place, { maxLength: 3 }) })
    fc.assert(
      fc.property(lineage, (one) => {
        const text = formatLineage(one)
        expect(text).toMatch(/^[\x21-\x7e]+$/)
        expect(parseLineage(text)).toEqual(one)
      }),
    )
    fc.assert(
      fc.property(lineage, lineage, (one, other) => {
        const order = compareLineages(one, other)
        expect(order === 0).toBe(formatLineage(one) === formatLineage(other))
        expect(Math.sign(compareLineages(other, one))).toBe(-Math.sign(order) + 0)
      }),
    )
  })
})

describe('the order of lineages', () => {
  it('is numeric, depth first', () => {
    const inOrder = [
      '0',
      '0/1.2.0.0',
      '0/1.2.0.0/1.1.0.0',
      '0/1.2.0.0/1.1.0.0/1.1.0.0',
      '0/1.2.0.1',
      '0/1.2.9.0',
      '0/1.2.10.0',
      '0/1.2.a.0',
      '0/1.2.a.1',
      '0/1.2.b.0',
      '0/1.3.0.0',
      '0/2.1.0.0',
      '0/10.1.0.0',
      '2',
      '10',
      '10/1.1.0.0',
    ].map((text) => parseLineage(text) as Lineage)
    const sorted = (lineages: readonly Lineage[]): string[] =>
      lineages.toSorted(compareLineages).map(formatLineage)
    expect(sorted(inOrder.toReversed())).toEqual(inOrder.map(formatLineage))
    expect(sorted(inOrder)).toEqual(inOrder.map(formatLineage))
    for (const lineage of inOrder) expect(compareLineages(lineage, lineage)).toBe(0)
  })

  it('ignores the call id of a place', () => {
    expect(comparePlaces(call(1, 1, 0, 0), { ...call(1, 1, 0, 0), callId: 'x' } as Place)).toBe(0)
    expect(comparePlaces(plugin(1, 1, 'b', 0), call(1, 1, 0, 0))).toBe(1)
    expect(comparePlaces(call(1, 1, 0, 0), plugin(1, 1, 'b', 0))).toBe(-1)
  })
})

describe('the lineage of a session', () => {
  const root: LineageHeader = { id: 'r', root: 4 }
  const child: LineageHeader = {
    id: 'c',
    parentSession: 'r',
    spawnedBy: { turn: 1, step: 2, call: 0, index: 1, callId: 'call_x' },
  }
  const grandchild: LineageHeader = {
    id: 'g',
    parentSession: 'c',
    spawnedBy: { turn: 3, step: 1, plugin: 'p', index: 0 },
  }
  const among =
    (...headers: readonly LineageHeader[]) =>
    (id: string): LineageHeader | undefined =>
      headers.find((header) => header.id === id)

  it('is the way down from its root, call ids left out', () => {
    expect(lineageOf(root, among())).toEqual({ root: 4, path: [] })
    expect(lineageOf(grandchild, among(child, root))).toEqual({
      root: 4,
      path: [
        { turn: 1, step: 2, call: 0, index: 1 },
        { turn: 3, step: 1, plugin: 'p', index: 0 },
      ],
    })
  })

  it.each<[string, LineageHeader, LineageHeader[]]>([
    ['a root has no ordinal', { id: 'r' }, []],
    ['a child has no place', { id: 'c', parentSession: 'r' }, [root]],
    ['a child on the way has no place', grandchild, [{ id: 'c', parentSession: 'r' }, root]],
    ['a parent is missing', grandchild, [root]],
    ['the parents go round', grandchild, [{ ...child, parentSession: 'g' }, grandchild]],
    ['a session is its own parent', { ...child, parentSession: 'c' }, [child]],
  ])('is unknown where %s', (_why, header, others) => {
    expect(lineageOf(header, among(...others))).toBeUndefined()
  })
})
