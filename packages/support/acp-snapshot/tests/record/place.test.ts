import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { link as hardLink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { changedFiles, placeFiles } from '../../src/record/place.ts'
import { tempTree } from '../temp.ts'

function tree(files: Record<string, string>) {
  const root = tempTree({ 'one/': '', 'staged/': '', ...files })
  return { dir: join(root, 'one'), staged: join(root, 'staged') }
}
const contents = (dir: string) =>
  Object.fromEntries(readdirSync(dir).map((name) => [name, readFileSync(join(dir, name), 'utf8')]))

it('knows what differs by its bytes', async () => {
  const { dir } = tree({ 'one/a': 'a', 'one/b': 'b' })
  const files = new Map([
    ['a', 'a'],
    ['b', 'B'],
    ['c', ''],
  ])
  await expect(changedFiles(dir, files)).resolves.toEqual(['b', 'c'])
})

it('places what changed, removes what must go, and touches nothing else', async () => {
  const { dir, staged } = tree({
    'one/same': 'same',
    'one/old': 'old',
    'one/stale': 'stale',
    'one/other': 'other',
    'staged/same': 'same',
    'staged/old': 'new',
    'staged/fresh': 'fresh',
  })
  const before = statSync(join(dir, 'same')).ino
  const files = new Map([
    ['same', 'same'],
    ['old', 'new'],
    ['fresh', 'fresh'],
  ])
  await expect(placeFiles(dir, staged, { files, remove: ['stale'] })).resolves.toEqual([
    'old',
    'fresh',
    'stale',
  ])
  expect(contents(dir)).toEqual({ same: 'same', old: 'new', fresh: 'fresh', other: 'other' })
  expect(statSync(join(dir, 'same')).ino).toBe(before)
})

it('copies what it keeps where the file system has no links', async () => {
  const { dir, staged } = tree({ 'one/a': 'old', 'staged/a': 'new' })
  const files = new Map([
    ['a', 'new'],
    ['b', 'was never staged'],
  ])
  const link = () => Promise.reject(Object.assign(new Error('no links'), { code: 'EPERM' }))
  const only = new Map([['a', 'new']])
  await expect(placeFiles(dir, staged, { files, remove: [] }, link)).rejects.toThrow(
    /EPERM|ENOENT|no links/,
  )
  expect(contents(dir)).toEqual({ a: 'old' })
  await expect(
    placeFiles(dir, tree({ 'staged/a': 'new' }).staged, { files: only, remove: [] }),
  ).resolves.toEqual(['a'])
})

describe('when it fails halfway', () => {
  it('puts everything back', async () => {
    const { dir, staged } = tree({ 'one/a': 'old a', 'staged/a': 'new a', 'staged/b': 'new b' })
    const files = new Map([
      ['a', 'new a'],
      ['b', 'new b'],
      ['c', 'was never staged'],
    ])
    await expect(placeFiles(dir, staged, { files, remove: [] })).rejects.toMatchObject({
      code: 'ENOENT',
    })
    expect(contents(dir)).toEqual({ a: 'old a' })
  })

  it('puts back what was removed', async () => {
    const { dir, staged } = tree({ 'one/a': 'a' })
    const placement = { files: new Map<string, string>(), remove: ['a', 'missing'] }
    await expect(placeFiles(dir, staged, placement)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(contents(dir)).toEqual({ a: 'a' })
  })

  it('puts back what it can, and says what it cannot, with what stopped it', async () => {
    const { dir, staged } = tree({
      'one/a': 'old a',
      'one/b': 'old b',
      'staged/a': 'new a',
      'staged/b': 'new b',
    })
    const files = new Map([
      ['a', 'new a'],
      ['b', 'new b'],
      ['c', 'was never staged'],
    ])
    // What is said to be kept of a is not there.
    const link: typeof hardLink = async (from, to) => {
      if (!String(from).endsWith('/a')) await hardLink(from, to)
    }
    await expect(placeFiles(dir, staged, { files, remove: [] }, link)).rejects.toMatchObject({
      code: 'CANNOT_WRITE',
      message: expect.stringMatching(
        /^cannot write .*\/one: ENOENT.*staged\/c.*; a could not be put back: take the folder from version control/,
      ) as string,
    })
    expect(contents(dir)).toEqual({ a: 'new a', b: 'old b' })
  })

  it('begins nothing where what is there cannot be kept', async () => {
    const { dir, staged } = tree({ 'one/a': 'a', 'staged/a': 'new', 'staged/sub': 'x' })
    // A folder can be neither linked nor copied as a file.
    mkdirSync(join(dir, 'sub'))
    const files = new Map([
      ['a', 'new'],
      ['sub', 'x'],
    ])
    await expect(placeFiles(dir, staged, { files, remove: [] })).rejects.toThrow()
    expect(readFileSync(join(dir, 'a'), 'utf8')).toBe('a')
  })
})
