import { expect, it } from 'vitest'
import { filesOf, licenceProblems, tarballProblems } from '../lib/tarball.mjs'
import { tarball } from './npm-tarball.ts'

const manifest = { license: 'MIT', engines: {}, description: 'd', dependencies: { a: '1.0.0' } }
const GOOD = {
  'package.json': JSON.stringify(manifest),
  'README.md': 'x'.repeat(600),
  LICENSE: 'l',
  'dist/bundle/index.js': 'export {}',
}

it('reads files whole, long and short', () => {
  expect(Object.fromEntries(filesOf(tarball(GOOD)))).toEqual(GOOD)
})

it('has no complaint about what is fit to publish', () => {
  const map = JSON.stringify({ sources: ['../../src/a.ts'], sourcesContent: ['a'] })
  expect(tarballProblems(tarball({ ...GOOD, 'dist/bundle/index.js.map': map }))).toEqual([])
})

it.each([
  [{ 'tests/a.js': '' }, 'tests/a.js: is not for users'],
  [{ 'src/a.ts': '' }, 'src/a.ts: is not for users'],
  [{ 'dist/a.test.js': '' }, 'dist/a.test.js: is not for users'],
  [{ 'dist/.tsbuildinfo': '' }, 'dist/.tsbuildinfo: is not for users'],
  [{ 'a.js': 'x = "/home/me/a"' }, 'a.js: names a path of the machine that built it'],
  [{ 'a.js.map': '{"sources":["../a.ts"]}' }, 'a.js.map: its source ../a.ts is not there'],
  [
    { 'package.json': JSON.stringify({ ...manifest, dependencies: { a: 'workspace:*' } }) },
    'package.json: a is workspace:*',
  ],
  [{ 'package.json': '{"license":"MIT","engines":{}}' }, 'package.json: no description'],
])('finds %j', (files, problem) => {
  expect(tarballProblems(tarball({ ...GOOD, ...files }))).toEqual([problem])
})

it('wants the licence of each library of others', () => {
  const [one, two] = ['a 1.0.0 (MIT)\n\nText of a\n', 'b 1.0.0 (MIT)\n\nText of b\n'] as const
  const data = tarball({ ...GOOD, 'dist/THIRD-PARTY-NOTICES.txt': `${one}\n---\n\n${two}` })
  expect(licenceProblems(data, [one, two])).toEqual([])
  const missing = (name: string) =>
    `dist/THIRD-PARTY-NOTICES.txt: the licence of ${name} is missing`
  expect(licenceProblems(data, [one, 'a 1.1.0 (MIT)\n\nText of a\n'])).toEqual([
    missing('a 1.1.0 (MIT)'),
  ])
  expect(licenceProblems(data, ['b 1.0.0 (MIT)\n\nText of c\n'])).toEqual([
    missing('b 1.0.0 (MIT)'),
  ])
  expect(licenceProblems(tarball(GOOD), [one])).toEqual([missing('a 1.0.0 (MIT)')])
})

it('misses what has to be there', () => {
  const { LICENSE: _license, ...files } = GOOD
  expect(tarballProblems(tarball(files))).toEqual(['LICENSE is missing'])
})
