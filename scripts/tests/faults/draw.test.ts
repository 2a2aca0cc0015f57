import { describe, expect, it } from 'vitest'
import { drawFaults } from '../../faults/draw.mjs'
import { patched, patchedSources } from '../../faults/patch.mjs'
import { randomOf, shuffled } from '../../faults/random.mjs'
import { sitesOf } from '../../faults/sites.mjs'

const SOURCE = `export function f(a) {
  if (a > 1) g(a, 2)
  h(a)
  return a - 1
}`
const sources = [
  {
    area: 'loop' as const,
    package: 'core/agent',
    file: 'src/a.ts',
    source: SOURCE,
    sites: sitesOf('src/a.ts', SOURCE),
  },
]
const any = (): boolean => true

describe('drawing faults', () => {
  it('gives the same ones for the same seed, and others for another', () => {
    const names = (seed: number) => drawFaults(sources, { loop: 3 }, seed, any).map((f) => f.name)
    expect(names(7)).toEqual(names(7))
    expect(new Set([1, 2, 3, 4, 5].map((seed) => names(seed).join())).size).toBeGreaterThan(1)
  })

  it('draws one of a statement at most, and says what it does where', () => {
    const faults = drawFaults(sources, { loop: 4 }, 1, any)
    expect(
      new Set(
        faults.map(
          ({ edits: [edit] }) =>
            SOURCE.slice(0, (edit as never as { start: number }).start).split('\n').length,
        ),
      ).size,
    ).toBeGreaterThan(1)
    for (const fault of faults) {
      expect(fault.name).toMatch(/^agent\/a\.ts:\d+:\d+ [a-z-]+$/)
      expect(fault.change).toContain(' → ')
      expect(patchedSources(fault, () => SOURCE).get('src/a.ts')).not.toBe(SOURCE)
    }
  })

  it('leaves out what would not parse', () => {
    const kept = (text: string) => !text.includes('!(')
    const faults = drawFaults(sources, { loop: 4 }, 1, kept)
    expect(faults.some(({ operator }) => operator === 'negate-condition')).toBe(false)
  })

  it('refuses to draw more than there are places for', () => {
    expect(() => drawFaults(sources, { loop: 99 }, 1, any)).toThrow(
      /^loop has places for 4 faults, expected 99$/,
    )
  })

  it('shuffles without loss, as the seed says', () => {
    const items = [1, 2, 3, 4, 5, 6]
    const order = shuffled(items, randomOf(3))
    expect(order.toSorted((a, b) => a - b)).toEqual(items)
    expect(shuffled(items, randomOf(3))).toEqual(order)
    expect(items).toEqual([1, 2, 3, 4, 5, 6])
  })
})

describe('patching', () => {
  it('replaces by text exactly once, taking the text as it is', () => {
    const edit = { file: 'a.ts', find: 'b', replace: "$&'" }
    expect(patched('a b c', edit)).toBe("a $&' c")
    expect(() => patched('b b', edit)).toThrow('a.ts has 2 times, not once: b')
    expect(() => patched('x', edit)).toThrow('a.ts has 0 times, not once: b')
  })

  it('applies several edits of a file one after another', () => {
    const edits = [
      { file: 'a.ts', find: 'one', replace: 'two' },
      { file: 'a.ts', find: 'two', replace: 'three' },
      { file: 'b.ts', find: 'x', replace: 'y' },
    ]
    const fault = { name: 'n', area: 'loop' as const, package: 'core/agent', edits }
    const texts = patchedSources(fault, (file) => (file === 'a.ts' ? 'one' : 'x'))
    expect([...texts]).toEqual([
      ['a.ts', 'three'],
      ['b.ts', 'y'],
    ])
  })
})
