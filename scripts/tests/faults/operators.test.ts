import { describe, expect, it } from 'vitest'
import { patched } from '../../faults/patch.mjs'
import { changeOf, sitesOf } from '../../faults/sites.mjs'
import { parses } from '../../faults/tree-walk.mjs'

/** What each operator makes of a source. */
function mutants(operator: string, source: string): string[] {
  return sitesOf('a.ts', source)
    .filter((site) => site.operator === operator)
    .map((site) => patched(source, site))
}

describe('mutation operators', () => {
  it.each([
    ['delete-statement', 'f(); throw x', ['; throw x', 'f(); ;']],
    ['delete-statement', "'use strict'\nconst a = 1", []],
    [
      'delete-statement',
      'class A extends B { constructor() { super(1); f() } }',
      ['class A extends B { constructor() { super(1); ; } }'].map((text) =>
        text.replace('; ; ', '; ; '),
      ),
    ],
    [
      'negate-condition',
      'if (a) b(); while (c) d(); e ? f : g',
      [
        'if (!(a)) b(); while (c) d(); e ? f : g',
        'if (a) b(); while (!(c)) d(); e ? f : g',
        'if (a) b(); while (c) d(); !(e) ? f : g',
      ],
    ],
    ['swap-comparison', 'a === b; c<d; e + f', ['a !== b; c<d; e + f', 'a === b; c<=d; e + f']],
    ['swap-and-or', 'a && b; c ?? d', ['a || b; c ?? d']],
    ['drop-fallback', 'x = a ?? b', ['x = a']],
    [
      'swap-operands',
      'a - b; f(c, d); g(...e, h)',
      ['b - a; f(c, d); g(...e, h)', 'a - b; f(d, c); g(...e, h)'],
    ],
    [
      'off-by-one',
      "a[i]; b['k']; c + 1; d + 2",
      ["a[(i) + 1]; b['k']; c + 1; d + 2", "a[i]; b['k']; c - 1; d + 2"],
    ],
    ['drop-await', 'await f()', ['f()']],
    ['drop-argument', 'f(a, b); g(\n  c,\n)', ['f(a); g(\n  c,\n)', 'f(a, b); g(\n  \n)']],
    [
      'replace-constant',
      'x = 7; y = true; z = { 1: 2 }',
      [
        'x = 8; y = true; z = { 1: 2 }',
        'x = 7; y = false; z = { 1: 2 }',
        'x = 7; y = true; z = { 1: 3 }',
      ],
    ],
    [
      'empty-text',
      "import a from 'a'; f('x', `y${z}`, ''); k = { 'q': 'r' }",
      [
        "import a from 'a'; f('', `y${z}`, ''); k = { 'q': 'r' }",
        "import a from 'a'; f('x', '', ''); k = { 'q': 'r' }",
        "import a from 'a'; f('x', `y${z}`, ''); k = { 'q': '' }",
      ],
    ],
    ['skip-call', 'const f = () => { return g() }', ['const f = () => { return undefined }']],
    ['drop-field', 'x = { a, ...b }', ['x = {  ...b }', 'x = { a,  }']],
  ])('%s on %s', (operator, source, expected) => {
    const found = mutants(operator, source)
    expect(found).toEqual(expected)
    for (const text of found) expect(parses(text)).toBe(true)
  })

  it('leaves types alone', () => {
    const source = "type A = 'a' | 1\nfunction f(x: Map<'b', 2>): x is B {}\nlet y = z as 'c'"
    expect(sitesOf('a.ts', source)).toEqual([])
  })

  it('names a source that does not parse', () => {
    expect(() => sitesOf('broken.ts', 'const =')).toThrow(/^broken\.ts does not parse: /)
    expect(parses('const =')).toBe(false)
  })

  it('says what a change is on one line', () => {
    const source = `f(${'a'.repeat(60)})\nif (\n  b\n) c()`
    const [first] = sitesOf('a.ts', source).filter(({ operator }) => operator === 'drop-argument')
    expect(changeOf(source, first as never)).toBe(`${'a'.repeat(39)}… → nothing`)
    const negated = sitesOf('a.ts', source).find(({ operator }) => operator === 'negate-condition')
    expect(negated).toMatchObject({ line: 3 })
    expect(changeOf(source, negated as never)).toBe('b → !(b)')
  })
})
