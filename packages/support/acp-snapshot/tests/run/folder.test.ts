import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  symlink,
  writeFile,
} from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  createRunFolder,
  pathAliases,
  removeFolder,
  removeFolderNow,
} from '../../src/run/folder.ts'
import { useTempDir } from './harness.ts'

const temp = useTempDir()

async function workspace(): Promise<string> {
  const dir = path.join(temp(), 'workspace')
  await mkdir(path.join(dir, 'deep/er'), { recursive: true })
  await writeFile(path.join(dir, 'deep/er/run.sh'), '#!/bin/sh\n', { mode: 0o755 })
  await chmod(path.join(dir, 'deep'), 0o750)
  await writeFile(path.join(dir, '.hidden'), 'x')
  await chmod(path.join(dir, '.hidden'), 0o400)
  await symlink('deep/er/run.sh', path.join(dir, 'link'))
  await symlink('../outside', path.join(dir, 'dangling'))
  await symlink('deep', path.join(dir, 'folder-link'))
  return dir
}

const mode = async (file: string): Promise<number> => (await lstat(file)).mode & 0o777

describe('createRunFolder', () => {
  test('copies the contents of the workspace as they are', async () => {
    const { cwd, dir } = await createRunFolder(temp(), await workspace())
    expect((await readdir(cwd)).sort()).toEqual([
      '.hidden',
      'dangling',
      'deep',
      'folder-link',
      'link',
    ])
    expect(await readFile(path.join(cwd, 'deep/er/run.sh'), 'utf8')).toBe('#!/bin/sh\n')
    expect(await mode(path.join(cwd, 'deep/er/run.sh'))).toBe(0o755)
    expect(await mode(path.join(cwd, 'deep'))).toBe(0o750)
    expect(await mode(path.join(cwd, '.hidden'))).toBe(0o400)
    expect(await readlink(path.join(cwd, 'link'))).toBe('deep/er/run.sh')
    expect(await readlink(path.join(cwd, 'dangling'))).toBe('../outside')
    expect(await readlink(path.join(cwd, 'folder-link'))).toBe('deep')
    expect(await mode(dir)).toBe(0o700)
  })

  test('says where no folder can be made, and what helps', async () => {
    const none = path.join(temp(), 'none')
    await expect(createRunFolder(none)).rejects.toMatchObject({
      code: 'CANNOT_WRITE',
      message: expect.stringMatching(
        /^cannot make a folder for the run in .*none: ENOENT.*; TMPDIR names another place$/,
      ) as string,
    })
  })

  test('makes empty folders, and files apart from the cwd', async () => {
    const folder = await createRunFolder(temp())
    expect(path.dirname(folder.dir)).toBe(temp())
    expect((await readdir(folder.dir)).sort()).toEqual(['cwd', 'home', 'sessions'])
    for (const dir of [folder.cwd, folder.home, folder.sessionsRoot]) {
      expect(await readdir(dir)).toEqual([])
    }
    for (const file of [folder.reportFile, folder.stdoutFile, folder.stderrFile]) {
      expect(path.dirname(file)).toBe(folder.dir)
    }
  })

  test('lies in the system’s temp folder by default', async () => {
    const folder = await createRunFolder()
    await removeFolder(folder.dir)
    expect(folder.dir).toMatch(/dsh-snapshot-\w+$/)
  })

  test('leaves nothing behind where the workspace cannot be copied', async () => {
    await expect(createRunFolder(temp(), path.join(temp(), 'missing'))).rejects.toMatchObject({
      code: 'ENOENT',
    })
    expect(await readdir(temp())).toEqual([])
  })
})

describe('removeFolder', () => {
  test('removes what an agent has locked, and follows no link', async () => {
    const outside = path.join(temp(), 'outside')
    await mkdir(outside, { mode: 0o500 })
    const { dir, cwd } = await createRunFolder(temp())
    await mkdir(path.join(cwd, 'locked/inner'), { recursive: true })
    await symlink(outside, path.join(cwd, 'locked/link'))
    await chmod(path.join(cwd, 'locked'), 0o100)
    await removeFolder(dir)
    expect(await readdir(temp())).toEqual(['outside'])
    expect(await mode(outside)).toBe(0o500)
  })

  test('unlocks a folder before it looks inside, and keeps the other bits', async () => {
    const locked = path.join(temp(), 'locked')
    await mkdir(locked)
    await chmod(locked, 0o050)
    const held = path.join(temp(), 'not-a-folder')
    await writeFile(held, '')
    await chmod(held, 0o040)
    // A file among the folders stops it after the unlocking.
    await expect(removeFolder(held)).rejects.toMatchObject({ code: 'ENOTDIR' })
    expect(await mode(held)).toBe(0o740)
    await removeFolder(locked)
    expect(await readdir(temp())).toEqual(['not-a-folder'])
  })

  test('does not mind one that is gone', async () => {
    await expect(removeFolder(path.join(temp(), 'gone'))).resolves.toBeUndefined()
  })
})

test('a folder is known under its own path and its real one, longest first', async () => {
  const real = path.join(await realpath(temp()), 'a-rather-long-name')
  await mkdir(real)
  expect(await pathAliases(real)).toEqual([real])
  const link = path.join(await realpath(temp()), 'short')
  await symlink(real, link)
  expect(await pathAliases(link)).toEqual([real, link])
})

describe('removeFolderNow', () => {
  const late = (times: number, code = 'ENOTEMPTY') => {
    let asked = 0
    const remove: typeof rmSync = (dir, options) => {
      asked += 1
      if (asked <= times) throw Object.assign(new Error('late'), { code })
      rmSync(dir, options)
    }
    return { remove, asked: () => asked }
  }

  test('begins again for what came in the middle, within bounds', () => {
    const dir = path.join(temp(), 'run')
    mkdirSync(path.join(dir, 'home'), { recursive: true })
    writeFileSync(path.join(dir, 'home/a'), '')
    removeFolderNow(dir, late(20).remove)
    expect(existsSync(dir)).toBe(false)
    removeFolderNow(dir)
    const endless = late(99)
    expect(() => removeFolderNow(dir, endless.remove)).toThrow('late')
    expect(endless.asked()).toBe(21)
  })

  test('gives up at once for anything else', () => {
    const { remove, asked } = late(9, 'EACCES')
    expect(() => removeFolderNow(temp(), remove)).toThrow('late')
    expect(asked()).toBe(1)
  })
})
