import { describe, expect, it } from 'vitest'
import { declarationProblems } from '../lib/declarations.mjs'

const problemsIn = (files: Readonly<Record<string, string>>, entries = ['index.d.ts']) =>
  declarationProblems(new Map(Object.entries(files)), entries)

describe('what a package shows', () => {
  it.each([
    ['export declare const a: any', ['index.d.ts: any in a']],
    ['export declare function a(b: { c?: any[] }): void', ['index.d.ts: any in a']],
    ['export declare class A { private a: any; b: unknown }', []],
    ['export declare class A { a(): Promise<any> }', ['index.d.ts: any in A']],
    ['type B = any\nexport type A = 1', []],
    ['type B = 1\nexport type A = B | 2', ['index.d.ts: A shows B, which nothing exports']],
    [
      'interface B {}\nexport interface A extends B {}',
      ['index.d.ts: A shows B, which nothing exports'],
    ],
    [
      'declare class B {}\nexport declare class A extends B {}',
      ['index.d.ts: A shows B, which nothing exports'],
    ],
    [
      'interface B {}\nexport declare class A implements B {}',
      ['index.d.ts: A shows B, which nothing exports'],
    ],
    [
      'declare const b: 1\nexport type A = typeof b',
      ['index.d.ts: A shows b, which nothing exports'],
    ],
    ['declare const b: 1\nexport declare const a: { b: 1 }', []],
    [
      'interface B { c: 1 }\nexport type A = B["c"]',
      ['index.d.ts: A shows B, which nothing exports'],
    ],
    ['type T = 1\nexport type A<T> = T | { [K in keyof T]: K }', []],
    ['type B = 1\ntype A = B\nexport type { A }', ['index.d.ts: A shows B, which nothing exports']],
    ['type B = 1\ntype A = B\nexport type { A, B as C }', []],
    ['export type A = Promise<A> | NodeJS.Signals', []],
    ["import type { B } from 'elsewhere'\nexport type A = B", []],
    ["import * as b from 'elsewhere'\nexport type A = b.B", []],
  ])('%s', (text, problems) => {
    expect(problemsIn({ 'index.d.ts': text })).toEqual(problems)
  })

  it('is followed through files, whatever they call each other', () => {
    const files = {
      'dist/index.d.ts': "export * from './all.ts'\nexport { one as two } from './some.js'",
      'dist/all.d.ts':
        "import type { Deep as D } from './sub/deep.ts'\nexport interface All { readonly d: D }\nexport * from './index.ts'",
      'dist/sub/deep.d.ts': 'export interface Deep { any: 1 }\nexport type Other = any',
      'dist/some.d.ts':
        "import type { Hidden } from './hidden.ts'\nexport declare const one: Hidden\nexport declare const three: any",
      'dist/hidden.d.ts': "export type { Hidden } from './hidden-deeper.ts'",
      'dist/hidden-deeper.d.ts': 'export type Hidden = 1',
    }
    expect(problemsIn(files, ['dist/index.d.ts'])).toEqual([
      'dist/all.d.ts: All shows D, which nothing exports',
      'dist/some.d.ts: one shows Hidden, which nothing exports',
    ])
    expect(
      problemsIn(files, ['dist/index.d.ts', 'dist/hidden.d.ts', 'dist/sub/deep.d.ts']),
    ).toEqual(['dist/sub/deep.d.ts: any in Other'])
  })

  it('has to be there', () => {
    expect(() => problemsIn({ 'index.d.ts': "export * from './gone.js'" })).toThrow(
      'gone.d.ts is not in the package',
    )
  })
})
