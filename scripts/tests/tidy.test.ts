import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { importsOf, trackedFiles, withoutComments } from '../tidy/repo.ts'
import * as tidy from '../tidy/rules.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

describe('this checkout', () => {
  const files = trackedFiles(root)

  test('was read', () => {
    expect(files.size).toBeGreaterThan(50)
    expect(files.has('packages/core/brand/src/clock.ts')).toBe(true)
  })

  test.each(Object.entries(tidy.rules))('%s', (_name, rule) => {
    expect(rule(files)).toEqual([])
  })
})

const files = (entries: Record<string, string | object>): Map<string, string> =>
  new Map(
    Object.entries(entries).map(([path, value]) => [
      path,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )

const src = 'packages/core/llm/src/a.ts'

describe('noAmbientTime', () => {
  test.each([
    ['const t = Date.now()', 'Date.now'],
    ['new Date( )', 'new Date( )'],
    ['Math.random()', 'Math.random'],
    ["import { randomUUID } from 'node:crypto'", 'randomUUID'],
    ['globalThis.setTimeout(f, 1)', 'setTimeout'],
    ['setInterval(f, 1)', 'setInterval'],
    ['process.hrtime.bigint()', 'process.hrtime'],
    ['performance.now()', 'performance.now'],
    ["import { setTimeout as sleep } from 'node:timers'", 'setTimeout'],
  ])('refuses %s', (code, use) => {
    expect(tidy.noAmbientTime(files({ [src]: code }))).toContain(
      `${src}: ${use}; take a Clock, an IdSource or a RandomSource instead`,
    )
  })

  test.each([
    ['new Date(0)', src],
    ['// Date.now() is not for us', src],
    ['/* setTimeout */ const url = "http://x"', src],
    ['Date.now()', 'packages/core/brand/src/clock.ts'],
    ['randomUUID()', 'packages/core/brand/src/ids.ts'],
    ['Math.random()', 'packages/core/brand/src/random.ts'],
    ['Date.now()', 'packages/core/llm/tests/a.test.ts'],
  ])('allows %s in %s', (code, path) => {
    expect(tidy.noAmbientTime(files({ [path]: code }))).toEqual([])
  })
})

test('noSleep and noFocus look at tests', () => {
  const path = 'packages/core/llm/tests/a.test.ts'
  // In pieces, or this file would be found.
  const sleeps = [['setTimeout', 'resolve, 5)'].join('('), ['timers', 'promises'].join('/')]
  for (const code of sleeps) {
    expect(tidy.noSleep(files({ [path]: code }))).toEqual([`${path}: a test sleeps`])
  }
  expect(tidy.noSleep(files({ [path]: 'setImmediate(resolve)', [src]: sleeps.join('') }))).toEqual(
    [],
  )
  const focus = ['test', "only('x', f)"].join('.')
  expect(tidy.noFocus(files({ [path]: focus }))).toEqual([
    `${path}: .only leaves the other tests out`,
  ])
  expect(tidy.noFocus(files({ [path]: 'test("x", f)' }))).toEqual([])
})

test('maxLines counts as an editor does', () => {
  expect(tidy.maxLines(files({ [src]: '\n'.repeat(400), 'a.md': '\n'.repeat(900) }))).toEqual([])
  expect(tidy.maxLines(files({ [src]: '\n'.repeat(401) }))).toEqual([
    `${src}: 401 lines, at most 400`,
  ])
})

const depends = (name: string, ...on: string[]): object => ({
  name,
  dependencies: Object.fromEntries(on.map((other) => [other, 'workspace:*'])),
})

describe('importDirection', () => {
  test('dependencies point up the map, or stay in their group', () => {
    const good = files({
      'packages/core/brand/package.json': depends('dsh-brand'),
      'packages/core/llm/package.json': depends('dsh-llm', 'dsh-brand'),
      'packages/support/llm-replay/package.json': depends('dsh-llm-replay', 'dsh-llm'),
      'packages/support/acp-snapshot/package.json': depends('dsh-acp-snapshot', 'dsh-llm-replay'),
    })
    expect(tidy.importDirection(good)).toEqual([])
  })

  test.each([
    ['core/session', 'llm/llm-deepseek'],
    ['bundle/acp-demo', 'support/llm-replay'],
    ['tool/tool-fs', 'acp/acp'],
  ])('%s may not depend on %s', (from, to) => {
    const bad = files({
      [`packages/${from}/package.json`]: depends('dsh-from', 'dsh-to'),
      [`packages/${to}/package.json`]: depends('dsh-to'),
    })
    expect(tidy.importDirection(bad)).toEqual([
      `packages/${from}: depends on dsh-to, which is further down the map`,
    ])
  })

  test('sources import what their package depends on; tests import what they like', () => {
    const code = `import { a } from 'dsh-brand'
import '@scope/pkg/deep.js'
export * from './other.ts'
import fs from 'node:fs'
// import 'commented'
const late = await import('dsh-late/sub')
import { readFile } from 'fs'
`
    const found = tidy.importDirection(
      files({
        'packages/core/llm/package.json': depends('dsh-llm', 'dsh-brand'),
        [src]: code,
        'packages/core/llm/tests/a.test.ts': "import 'dsh-llm-replay'",
      }),
    )
    expect(found).toEqual([
      `${src}: imports @scope/pkg, which its package does not depend on`,
      `${src}: imports dsh-late, which its package does not depend on`,
      `${src}: write node:fs`,
    ])
  })

  test('knows the groups', () => {
    const made = files({ 'packages/misc/a/package.json': {}, 'packages/core/b/package.json': {} })
    expect(tidy.knownGroups(made)).toEqual(['packages/misc/a: no such group on the map'])
  })
})

const good = {
  name: 'dsh-llm',
  type: 'module',
  license: 'MIT',
  engines: { node: '>=20.19' },
  files: ['dist/bundle', 'dist/**/*.d.ts', 'README.md', 'LICENSE'],
  exports: {
    '.': { 'dsh-source': './src/a.ts', types: './dist/a.d.ts', default: './dist/bundle/a.js' },
    './package.json': './package.json',
  },
}

describe('manifests', () => {
  const check = (change: object): string[] =>
    tidy.manifests(
      files({
        LICENSE: '',
        [src]: '',
        'packages/core/llm/bin.js': '',
        'packages/core/llm/package.json': { ...good, ...change },
      }),
    )

  test('a good one', () => {
    expect(check({})).toEqual([])
    expect(check({ bin: './bin.js' })).toEqual([])
    expect(check({ bin: { llm: 'bin.js' } })).toEqual([])
    expect(check({ exports: { ...good.exports, './bin.json': './bin.js' } })).toEqual([])
  })

  const conditions = good.exports['.']
  const exporting = (value: unknown): object => ({ exports: { ...good.exports, '.': value } })
  test.each<[object, string]>([
    [{ name: 'llm' }, "its name is llm, not its folder's"],
    [{ type: 'commonjs' }, 'type is not module'],
    [{ license: 'ISC' }, 'license is not MIT'],
    [{ engines: { node: '>=18' } }, 'engines.node is not >=20.19'],
    [{ files: good.files.slice(0, -1) }, 'files does not list LICENSE'],
    [{ files: good.files.slice(1) }, 'files does not list dist/bundle'],
    [{ files: good.files.toSpliced(1, 1) }, 'files does not list dist/**/*.d.ts'],
    [
      { exports: { ...good.exports, './a.json': './schemas/a.json' } },
      'exports["./a.json"] has no file',
    ],
    [{ exports: { '.': conditions } }, 'does not export ./package.json'],
    [{ exports: { './package.json': './package.json' } }, 'exports has no "."'],
    [{ bin: './dist/bin.js' }, 'bin ./dist/bin.js is not a committed file outside src'],
    [{ bin: './src/a.ts' }, 'bin ./src/a.ts is not a committed file outside src'],
  ])('%j', (change, problem) => {
    expect(check(change)).toEqual([`packages/core/llm: ${problem}`])
  })

  test.each<[unknown, string]>([
    ['./dist/a.js', ' is not a map of conditions'],
    [{ default: './dist/bundle/a.js' }, ' has default; expected dsh-source, types, default'],
    [
      { types: './dist/a.d.ts', 'dsh-source': './src/a.ts', default: './dist/bundle/a.js' },
      ' has types, dsh-source, default; expected dsh-source, types, default',
    ],
    [{ ...conditions, 'dsh-source': './src/b.ts' }, ' has no source file at ./src/b.ts'],
    [{ ...conditions, types: './dist/b.d.ts' }, '.types is ./dist/b.d.ts; expected ./dist/a.d.ts'],
    [{ ...conditions, default: './a.js' }, '.default is ./a.js; expected ./dist/bundle/a.js'],
  ])('exports %j', (value, problem) => {
    expect(check(exporting(value))).toEqual([`packages/core/llm: exports["."]${problem}`])
  })

  test('the root has a LICENSE to copy', () => {
    expect(tidy.manifests(files({}))).toEqual(['LICENSE: missing'])
  })
})

test('readmes: a package with tests has one, with its sections', () => {
  const made = { 'packages/core/llm/package.json': good }
  expect(tidy.readmes(files(made))).toEqual([])
  const tested = { ...made, 'packages/core/llm/tests/a.test.ts': '' }
  expect(tidy.readmes(files(tested))).toEqual(['packages/core/llm: no README.md'])
  const text = '## Exports\n\n## What the model experiences\n'
  expect(tidy.readmes(files({ ...tested, 'packages/core/llm/README.md': text }))).toEqual([
    'packages/core/llm/README.md: no section "Known limits"',
  ])
})

test('pinned: exact versions only, everywhere but in peers and in test data', () => {
  const found = tidy.pinned(
    files({
      'package.json': { devDependencies: { a: '1.2.3', b: '^1.2.3' } },
      'packages/core/llm/package.json': {
        dependencies: { c: 'workspace:*', d: '~2.0.0', e: '4.0.0-rc.1' },
        optionalDependencies: { f: 'latest' },
        peerDependencies: { g: '>=4' },
      },
      'packages/core/llm/tests/data/package.json': { dependencies: { h: '*' } },
    }),
  )
  expect(found).toEqual([
    'package.json: b is ^1.2.3, not an exact version',
    'packages/core/llm/package.json: d is ~2.0.0, not an exact version',
    'packages/core/llm/package.json: f is latest, not an exact version',
  ])
})

test('references: the build knows what depends on what', () => {
  const made = {
    'tsconfig.json': { references: [{ path: 'packages/core/llm' }] },
    'packages/core/brand/package.json': depends('dsh-brand'),
    'packages/core/llm/package.json': depends('dsh-llm', 'dsh-brand'),
    'packages/core/llm/tsconfig.json': { references: [{ path: '../idle' }] },
  }
  expect(tidy.references(files(made))).toEqual([
    'tsconfig.json: no reference to packages/core/brand',
    'packages/core/llm/tsconfig.json: no reference to packages/core/brand',
    'packages/core/llm/tsconfig.json: a reference to packages/core/idle without dependency',
  ])
})

describe('nothingLocal', () => {
  const path = (...parts: string[]): string => ['', ...parts].join('/')
  test.each([
    ['a.ts', path('work', 'thing'), true],
    ['a.ts', `file://${path('root', '.npmrc')}`, true],
    ['a.ts', path('tmp', 'x'), false],
    ['a.md', path('tmp', 'x'), true],
    ['a.md', path('home', 'me'), true],
    ['a.ts', `docs${path('work', 'x')}`, false],
    ['a.ts', '/work/ and /root', false],
  ])('in %s: %s', (name, text, found) => {
    expect(tidy.nothingLocal(files({ [name]: text }))).toHaveLength(found ? 1 : 0)
  })

  test.each([
    ['.npmrc', ['registry', 'https://example.org'].join('=')],
    ['pnpm-lock.yaml', ['    tarball', 'http://x/y.tgz'].join(': ')],
    ['a.md', ['see https://npm.example.org', 'registry', 'x'].join('/')],
  ])('a registry in %s', (name, text) => {
    expect(tidy.nothingLocal(files({ [name]: text }))[0]).toMatch(/: a registry \(/)
  })
})

describe('reading', () => {
  test('takes what git tracks and is there, text only', () => {
    const dir = mkdtempSync(join(tmpdir(), 'dsh-tidy-'))
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
    const git = (...args: string[]) => execFileSync('git', args, { cwd: dir })
    for (const name of ['kept.ts', 'gone.ts', 'untracked.ts']) writeFileSync(join(dir, name), name)
    writeFileSync(join(dir, 'binary'), 'a\0b')
    git('init', '-q')
    git('add', 'kept.ts', 'gone.ts', 'binary')
    rmSync(join(dir, 'gone.ts'))
    expect([...trackedFiles(dir)]).toEqual([['kept.ts', 'kept.ts']])
  })

  test('finds imports and drops comments', () => {
    expect(importsOf("import type { A } from 'a'\nexport * from \"b\"\nimport 'c'\n")).toEqual([
      'a',
      'b',
      'c',
    ])
    expect(withoutComments('a // b\n/* c\n */ d "http://e"')).toBe('a \n d "http://e"')
  })
})
