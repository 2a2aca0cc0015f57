import { type PathLike, readdirSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { replaceFolder } from '../../src/record/replace-folder.ts'
import { tempTree } from '../temp.ts'

const at = (root: string) => (name: string) => join(root, name)
/** A file system that refuses one move. */
const refusing = (from: string) => async (a: PathLike, b: PathLike) => {
  if (a === from) throw Object.assign(new Error('no'), { code: 'EIO' })
  await rename(a, b)
}

it('replaces a folder, and takes the old one aside', async () => {
  const path = at(tempTree({ 'target/old': '', 'by/new': '' }))
  await replaceFolder(path('target'), path('by'), path('aside'))
  expect(readdirSync(path('target'))).toEqual(['new'])
  expect(readdirSync(path('aside'))).toEqual(['old'])
})

it('needs no folder to replace', async () => {
  const path = at(tempTree({ 'by/new': '' }))
  await replaceFolder(path('target'), path('by'), path('aside'))
  expect(readdirSync(path('target'))).toEqual(['new'])
})

it('puts the old one back where the new one cannot take its place', async () => {
  const path = at(tempTree({ 'target/old': '', 'by/new': '' }))
  const failing = refusing(path('by'))
  await expect(
    replaceFolder(path('target'), path('by'), path('aside'), failing),
  ).rejects.toMatchObject({ code: 'EIO' })
  expect(readdirSync(path('target'))).toEqual(['old'])
})

it('has nothing to put back where there was nothing', async () => {
  const path = at(tempTree({ 'by/new': '' }))
  const failing = refusing(path('by'))
  await expect(
    replaceFolder(path('target'), path('by'), path('aside'), failing),
  ).rejects.toMatchObject({ code: 'EIO' })
})

it('begins nothing where the old one cannot be moved', async () => {
  const path = at(tempTree({ 'target/old': '', 'by/new': '' }))
  const failing = refusing(path('target'))
  await expect(
    replaceFolder(path('target'), path('by'), path('aside'), failing),
  ).rejects.toMatchObject({ code: 'EIO' })
  expect(readdirSync(path('by'))).toEqual(['new'])
})
