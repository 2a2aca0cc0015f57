import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bench, failureOf, fsFailure, tempDir } from './support.ts'

const refused = (path: string, cwd: string): unknown =>
  fsFailure(
    'FS_OUTSIDE_CWD',
    `"${path}" is outside the working directory "${cwd}", where writing is not allowed`,
  )

test.each(['absolute', 'relative'])('refuses an %s path outside the cwd', async (kind) => {
  const base = tempDir()
  const cwd = join(base, 'cwd')
  mkdirSync(cwd)
  const { write, edit } = bench({}, cwd)
  const path = join(base, 'cwd-2')
  const file_path = kind === 'absolute' ? path : '../cwd-2'
  expect(await failureOf(write({ file_path, content: 'x' }))).toEqual(refused(path, cwd))
  const change = edit({ file_path, old_string: '', new_string: 'x' })
  expect(await failureOf(change)).toEqual(refused(path, cwd))
  expect(existsSync(path)).toBe(false)
})

test('refuses to write outside through a linked folder, existing or to be made below it', async () => {
  const { cwd, write } = bench()
  const outside = tempDir()
  symlinkSync(outside, join(cwd, 'door'))
  for (const file_path of ['door/a', 'door/new/a']) {
    const failure = await failureOf(write({ file_path, content: 'x' }))
    expect(failure).toEqual(refused(join(cwd, file_path), cwd))
  }
  expect(readdirSync(outside)).toEqual([])
})

test('refuses to overwrite a file outside through a link to it', async () => {
  const { cwd, read, write } = bench()
  const outside = tempDir()
  writeFileSync(join(outside, 'a'), 'old')
  symlinkSync(join(outside, 'a'), join(cwd, 'link'))
  await read({ file_path: 'link' })
  expect(await failureOf(write({ file_path: 'link', content: 'x' }))).toEqual(
    refused(join(cwd, 'link'), cwd),
  )
  expect(readFileSync(join(outside, 'a'), 'utf8')).toBe('old')
})

test('refuses links to nothing: as the file and as a folder on the way', async () => {
  const { cwd, write } = bench()
  const outside = tempDir()
  symlinkSync(join(outside, 'none'), join(cwd, 'link'))
  for (const file_path of ['link', 'link/sub/a']) {
    expect(await failureOf(write({ file_path, content: 'x' }))).toEqual(
      fsFailure('FS_NOT_FOUND', `"${cwd}/link" is a symbolic link to nothing`),
    )
  }
  expect(readdirSync(outside)).toEqual([])
})

test('a link within the cwd is followed and stays a link', async () => {
  const { cwd, write } = bench()
  mkdirSync(join(cwd, 'real'))
  symlinkSync('real', join(cwd, 'alias'))
  await write({ file_path: 'alias/a', content: 'x' })
  expect(readFileSync(join(cwd, 'real/a'), 'utf8')).toBe('x')
  symlinkSync('real/a', join(cwd, 'file-alias'))
  await write({ file_path: 'file-alias', content: 'y' })
  expect(readFileSync(join(cwd, 'real/a'), 'utf8')).toBe('y')
  expect(readdirSync(cwd).sort()).toEqual(['alias', 'file-alias', 'real'])
})

test('a cwd that is itself reached by a link contains its files', async () => {
  const base = tempDir()
  mkdirSync(join(base, 'real'))
  symlinkSync('real', join(base, 'cwd'))
  const { write } = bench({}, join(base, 'cwd'))
  await write({ file_path: 'a', content: 'x' })
  await write({ file_path: join(base, 'real/b'), content: 'x' })
  expect(readdirSync(join(base, 'real'))).toEqual(['a', 'b'])
})

test('further roots are allowed, absolute and relative ones, even before they exist', async () => {
  const base = tempDir()
  const cwd = join(base, 'cwd')
  mkdirSync(cwd)
  const other = tempDir()
  const { write } = bench({ roots: [other, '../later'] }, cwd)
  await write({ file_path: join(other, 'a'), content: 'x' })
  await write({ file_path: '../later/a', content: 'x' })
  expect(readFileSync(join(base, 'later/a'), 'utf8')).toBe('x')
  const failure = await failureOf(write({ file_path: '../elsewhere', content: 'x' }))
  expect(failure).toMatchObject({ code: 'FS_OUTSIDE_CWD' })
})

test('the root of the file system contains everything', async () => {
  const other = tempDir()
  const { write } = bench({ roots: ['/'] })
  await write({ file_path: join(other, 'a'), content: 'x' })
  expect(readFileSync(join(other, 'a'), 'utf8')).toBe('x')
})

test('allowOutsideCwd allows everything, links to nothing excepted', async () => {
  const other = tempDir()
  const { cwd, write } = bench({ allowOutsideCwd: true })
  await write({ file_path: join(other, 'a'), content: 'x' })
  expect(readFileSync(join(other, 'a'), 'utf8')).toBe('x')
  symlinkSync('none', join(cwd, 'link'))
  const failure = await failureOf(write({ file_path: 'link', content: 'x' }))
  expect(failure).toMatchObject({ code: 'FS_NOT_FOUND' })
})

test('a file in the place of a folder is named as such', async () => {
  const { cwd, write } = bench()
  writeFileSync(join(cwd, 'a'), 'x')
  expect(await failureOf(write({ file_path: 'a/b', content: 'x' }))).toEqual(
    fsFailure('FS_NOT_DIRECTORY', `a parent of "${cwd}/a/b" is not a directory`),
  )
})

test('links in a circle are an error of the system', async () => {
  const { cwd, write } = bench()
  symlinkSync('b', join(cwd, 'a'))
  symlinkSync('a', join(cwd, 'b'))
  expect(await failureOf(write({ file_path: 'a', content: 'x' }))).toEqual(
    fsFailure('FS_IO', `cannot access "${cwd}/a": ELOOP`),
  )
})
