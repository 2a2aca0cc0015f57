import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeFileAtomic } from '../src/write-file.ts'
import { failureOf, fsFailure, openFilesIn, tempDir } from './support.ts'

const ids = { uuid: () => 'id' }
const bytes = Buffer.from('new')

test('a new file has the mode that the umask leaves', async () => {
  const dir = tempDir()
  const file = join(dir, 'a')
  await writeFileAtomic({ file, path: 'P', bytes, previous: undefined }, ids)
  expect(statSync(file).mode & 0o777).toBe(0o666 & ~process.umask())
  expect(openFilesIn(dir)).toEqual([])
})

test('never touches a file of somebody else that has the name of its temp file', async () => {
  const dir = tempDir()
  writeFileSync(join(dir, '.dsh-id.tmp'), 'of somebody else')
  const file = join(dir, 'a')
  const failure = await failureOf(
    writeFileAtomic({ file, path: 'P', bytes, previous: undefined }, ids),
  )
  expect(failure).toMatchObject({ name: 'FsError', cause: { code: 'EEXIST' } })
  expect(readdirSync(dir)).toEqual(['.dsh-id.tmp'])
  expect(readFileSync(join(dir, '.dsh-id.tmp'), 'utf8')).toBe('of somebody else')
})

test('leaves nothing behind when the last step fails', async () => {
  const dir = tempDir()
  const file = join(dir, 'a')
  mkdirSync(join(file, 'full'), { recursive: true })
  expect(
    await failureOf(writeFileAtomic({ file, path: 'P', bytes, previous: undefined }, ids)),
  ).toEqual(fsFailure('FS_IS_DIRECTORY', '"P" is a directory'))
  expect(readdirSync(dir)).toEqual(['a'])
})

test('a file in the place of the folder is named as such', async () => {
  const dir = tempDir()
  writeFileSync(join(dir, 'a'), 'x')
  const request = { file: join(dir, 'a/b'), path: 'P', bytes, previous: undefined }
  expect(await failureOf(writeFileAtomic(request, ids))).toEqual(
    fsFailure('FS_NOT_DIRECTORY', 'a parent of "P" is not a directory'),
  )
  expect(readFileSync(join(dir, 'a'), 'utf8')).toBe('x')
})
