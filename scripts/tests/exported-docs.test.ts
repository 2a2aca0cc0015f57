import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { undocumentedExports } from '../lib/exported-docs.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

function missingIn(files: Readonly<Record<string, string>>): string[] {
  const dir = mkdtempSync(join(tmpdir(), 'dsh-docs-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text)
  return undocumentedExports(join(dir, 'index.ts'), dir)
}

describe('exports without a doc comment', () => {
  it.each([
    ['/** A. */\nexport const a = 1', []],
    ['export const a = 1', ['index.ts:1 a']],
    ['// A.\nexport const a = 1', ['index.ts:2 a']],
    ['/* A. */\nexport function a() {}', ['index.ts:2 a']],
    ['/** B. */\nconst b = 1\nexport class A {}', ['index.ts:3 A']],
    ['/** A. */\nexport function a(): void\nexport function a(b?: 1) {}', []],
    ['interface A {}\nexport type { A as B }', ['index.ts:1 B']],
    ['const hidden = 1\n/** A. */\nexport type A = 1', []],
    ["export * from 'elsewhere'\nexport { a } from 'elsewhere'", []],
    ['export default 1', []],
    [
      '/** A. */\nexport interface AOptions {\n  /** B. */\n  b: 1\n  c: 2\n}',
      ['index.ts:5 AOptions.c'],
    ],
    ['/** A. */\nexport interface Config { c(): 1 }', ['index.ts:2 Config.c']],
    ['/** A. */\nexport interface Config { (): 1; [key: string]: 1 }', []],
    ['/** A. */\nexport interface Optionals { c: 2 }', []],
    [
      "interface ALimits { 'a-b': 1 }\nexport type { ALimits as B }",
      ['index.ts:1 B', "index.ts:1 B.'a-b'"],
    ],
  ])('%s', (text, missing) => {
    expect(missingIn({ 'index.ts': text })).toEqual(missing)
  })

  it('are found in the files that they come from, and there only what is exported on', () => {
    const files = {
      'index.ts': "export * from './all.ts'\nexport { one, two as three } from './some.ts'",
      'all.ts': "import { deep } from './deep.ts'\nexport const x = 1\nexport { deep }",
      'some.ts': 'export const one = 1\nexport const two = 2\nexport const other = 3',
      'deep.ts': '\n\nexport enum deep {}\nexport type Not = 1',
    }
    expect(missingIn(files)).toEqual([
      'all.ts:2 x',
      'deep.ts:3 deep',
      'some.ts:1 one',
      'some.ts:2 two',
    ])
  })
})

/** What cordis reads of a plugin; it means the same in each. */
const OF_A_PLUGIN = /(?:^|\/)index\.ts:\d+ (?:name|inject)$/

describe('what people see of a package in an editor', () => {
  const manifests = execFileSync('git', ['ls-files', 'packages/*/*/package.json'], { cwd: ROOT })
  const entries = String(manifests)
    .trim()
    .split('\n')
    .flatMap((file) => entriesOf(join(ROOT, file)))

  it('has an entry for nearly every package', () => {
    expect(entries.length).toBeGreaterThan(20)
  })

  it.each(entries)('says what it is: %s', (entry) => {
    const missing = undocumentedExports(join(ROOT, entry), ROOT)
    expect(missing.filter((name) => !OF_A_PLUGIN.test(name))).toEqual([])
  })
})

/** The sources of what a package exports with types. */
function entriesOf(manifest: string): string[] {
  const { exports = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    exports?: Record<string, string | { types?: string }>
  }
  return Object.values(exports).flatMap((target) => {
    const types = typeof target === 'string' ? undefined : target.types
    if (types === undefined) return []
    const source = types.replace(/^\.\/dist\/(.*)\.d\.ts$/, 'src/$1.ts')
    return [join(dirname(manifest), source).slice(ROOT.length)]
  })
}
