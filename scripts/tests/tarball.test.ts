import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { filesOf, licenceProblems, tarballProblems } from '../lib/tarball.mjs'

/** A tarball in the form in which npm has them. */
function tarball(files: Readonly<Record<string, string>>): Buffer {
  const parts = Object.entries(files).flatMap(([path, text]) => {
    const header = Buffer.alloc(512)
    header.write(`package/${path}`, 0)
    header.write(Buffer.byteLength(text).toString(8).padStart(11, '0'), 124)
    header.write('0', 156)
    const body = Buffer.alloc(Math.ceil(Buffer.byteLength(text) / 512) * 512)
    body.write(text)
    return [header, body]
  })
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(1024)]))
}

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
  const licences = { 'dist/THIRD-PARTY-NOTICES.txt': 'zod 4.0.0 (MIT)\n\nText of zod-core 1\n' }
  const data = tarball({ ...GOOD, ...licences })
  expect(licenceProblems(data, ['zod'])).toEqual([])
  expect(licenceProblems(data, ['zod-core', 'zod'])).toEqual([
    'dist/THIRD-PARTY-NOTICES.txt: the licence of zod-core is missing',
  ])
  expect(licenceProblems(tarball(GOOD), ['zod'])).toHaveLength(1)
})

it('misses what has to be there', () => {
  const { LICENSE: _license, ...files } = GOOD
  expect(tarballProblems(tarball(files))).toEqual(['LICENSE is missing'])
})
