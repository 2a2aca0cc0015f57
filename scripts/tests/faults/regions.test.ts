import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { marked, regionAt, regionsOf } from '../../faults/regions.mjs'

const SOURCE = `function f(a: number) {
  let x = 1
  if (a) x = 2
  else if (a === 3) { x = 4 }
  for (const b of [1]) g(b)
  switch (a) { case 5: x = 6 }
  return a > 7 && x ? x : [8].map((y) => y + 1)
}`

function mark(source: string): string {
  return marked(source, regionsOf('a.ts', source), (region) => `m(${region})`)
}

describe('regions', () => {
  it('marks every body, and what a condition may leave out', () => {
    expect(mark(SOURCE)).toBe(`function f(a: number) {
  m(0);let x = 1
  m(1);if (a) {m(2);x = 2}
  else if (a === 3) { m(3);x = 4 }
  m(4);for (const b of [1]) {m(5);g(b)}
  m(6);switch (a) { case 5: m(7);x = 6 }
  m(8);return a > 7 && (m(9),(x)) ? (m(10),(x)) : (m(11),([8].map((y) => (m(12),(y + 1)))))
}`)
  })

  it('changes nothing but for the marks', () => {
    const plain = SOURCE.replaceAll(': number', '')
    const run = (source: string): string =>
      runInNewContext(`${source}; JSON.stringify([f(0), f(3), f(9)])`, {
        m: () => undefined,
        g: () => undefined,
      }) as string
    expect(run(mark(plain))).toBe(run(plain))
  })

  it('finds the smallest region around a place, and none at module level', () => {
    const regions = regionsOf('a.ts', SOURCE)
    const at = (text: string) => {
      const start = SOURCE.indexOf(text)
      return regionAt(regions, { start, end: start + text.length })
    }
    expect([at('x = 2'), at('a === 3'), at('y + 1'), at('function')]).toEqual([2, 1, 12, -1])
  })
})
