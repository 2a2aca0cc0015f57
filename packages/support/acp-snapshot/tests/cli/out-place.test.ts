import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { outPlace } from '../../src/cli/out-place.ts'
import { tempTree } from '../temp.ts'

const CHECKOUT = { 'repo/.git/': '', 'repo/a/snapshots/': '', 'elsewhere/': '' }

it('is none without a folder', async () => {
  await expect(outPlace(undefined, '/anywhere')).resolves.toBe('none')
})

it.each([
  ['repo', 'inside'],
  ['repo/b/not/yet', 'inside'],
  ['repo/a/snapshots', 'inside'],
  ['repository', 'outside'],
  ['elsewhere', 'outside'],
  ['elsewhere/not/yet', 'outside'],
])('%s is %s the checkout', async (out, expected) => {
  const root = tempTree(CHECKOUT)
  await expect(outPlace(join(root, out), join(root, 'repo/a/snapshots'))).resolves.toBe(expected)
})

it('knows a worktree by its file', async () => {
  const root = tempTree({ 'tree/.git': 'gitdir: elsewhere', 'tree/snapshots/': '' })
  await expect(outPlace(join(root, 'tree/out'), join(root, 'tree/snapshots'))).resolves.toBe(
    'inside',
  )
})

it('follows links', async () => {
  const root = tempTree(CHECKOUT)
  symlinkSync(join(root, 'repo'), join(root, 'elsewhere/link'))
  const out = join(root, 'elsewhere/link/out')
  await expect(outPlace(out, join(root, 'repo/a/snapshots'))).resolves.toBe('inside')
})

it('takes the folder of the scenarios for one where there is no checkout', async () => {
  const root = tempTree({ 'snapshots/': '' })
  const dir = join(root, 'snapshots')
  await expect(outPlace(join(dir, 'out'), dir)).resolves.toBe('inside')
  await expect(outPlace(join(root, 'out'), dir)).resolves.toBe('outside')
})
