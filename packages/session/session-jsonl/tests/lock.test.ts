import { spawnSync } from 'node:child_process'
import { lstatSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type Clock, processMark, systemClock } from 'dsh-brand'
import { type FileSystem, nodeFileSystem } from '../src/file-system.ts'
import { withLock } from '../src/lock.ts'
import { systemError } from './faults.ts'
import { tempDir } from './support.ts'

let folder: string
let lock: string

beforeEach(() => {
  waits = []
  folder = tempDir()
  lock = join(folder, 'session.lock')
})

let count = 0
const ids = { uuid: () => `u${count++}` }
/** Every wait is over at once, and counted. */
let waits: number[] = []
const clock: Clock = {
  ...systemClock,
  after(ms, fire) {
    waits.push(ms)
    queueMicrotask(fire)
    return () => undefined
  },
}
const run = <T>(work: () => Promise<T>, fs: Partial<FileSystem> = {}): Promise<T> =>
  withLock({ ...nodeFileSystem, ...fs }, ids, join(folder, 'session.jsonl'), work, clock)
const done = async (): Promise<string> => 'done'
const refused = (holder: string) =>
  expect.objectContaining({
    code: 'SECOND_WRITER',
    message:
      `another writer is writing to session log ${folder}/session.jsonl: expected to be the only one, ` +
      `found the lock ${lock} held by ${holder}. Close the other agent; if there is none, remove the lock`,
  })

function deadPid(): number {
  const { pid } = spawnSync(process.execPath, ['--version'])
  return pid
}

test('holds the lock while it works, and gives back what the work gave', async () => {
  const holder = await run(async () => readlinkSync(lock))
  expect(holder).toMatch(new RegExp(`^${processMark()}:u\\d+$`))
  expect(readdirSync(folder)).toEqual([])
})

test('lets go when the work fails', async () => {
  await expect(run(() => Promise.reject(new Error('work')))).rejects.toThrow('work')
  expect(readdirSync(folder)).toEqual([])
  expect(await run(done)).toBe('done')
})

test('waits for a writer that is about to be done', async () => {
  let release = (): void => undefined
  const looked = new Promise<void>((resolve) => {
    release = resolve
  })
  let looks = 0
  let second: Promise<string> | undefined
  await run(async () => {
    second = run(done, {
      readlink: (async (path: string) => {
        looks += 1
        if (looks === 3) release()
        return nodeFileSystem.readlink(path)
      }) as FileSystem['readlink'],
    })
    await looked
  })
  await expect(second).resolves.toBe('done')
  // The third look may come after the lock has gone.
  expect(waits.length).toBeGreaterThanOrEqual(2)
  expect(new Set(waits)).toEqual(new Set([25]))
})

test('waits five seconds at most', async () => {
  symlinkSync(`${hostname()}:${process.ppid}:u`, lock)
  await expect(run(done)).rejects.toThrow(refused(`${hostname()}:${process.ppid}:u`))
  expect(waits).toEqual(Array.from({ length: 200 }, () => 25))
})

test('refuses another of this process', async () => {
  await run(async () => {
    const holder = readlinkSync(lock)
    await expect(run(done)).rejects.toThrow(refused(holder))
    expect(readlinkSync(lock)).toBe(holder)
  })
})

test.each([
  ['a living process', () => `${hostname()}:${process.ppid}:u`],
  ['another machine', () => `elsewhere:${deadPid()}:u`],
  ['something unknown', () => 'who knows'],
])('refuses while %s holds it', async (_, holder) => {
  const target = holder()
  symlinkSync(target, lock)
  await expect(run(done)).rejects.toThrow(refused(target))
  expect(readlinkSync(lock)).toBe(target)
})

test('refuses while a process of another user holds it', async () => {
  const target = `${hostname()}:${deadPid()}:u`
  symlinkSync(target, lock)
  const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
    throw systemError('EPERM')
  })
  try {
    await expect(run(done)).rejects.toThrow(refused(target))
    expect(kill).toHaveBeenCalledWith(Number(target.split(':')[1]), 0)
  } finally {
    kill.mockRestore()
  }
})

test.each([
  ['a dead process', () => `${hostname()}:${deadPid()}:u`],
  ['a dead process of our number', () => `${processMark()}:not-ours`],
  [
    'a dead process whose number is someone else’s now',
    () => `${hostname()}:${process.ppid}:elsewhen.1:u`,
  ],
  ['a dead process whose number is ours now', () => `${hostname()}:${process.pid}:elsewhen.1:u`],
])('takes over the lock of %s', async (_, holder) => {
  symlinkSync(holder(), lock)
  expect(await run(async () => readlinkSync(lock))).toContain(`${processMark()}:u`)
  expect(readdirSync(folder)).toEqual([])
})

describe('a race', () => {
  test('a lock that goes between two looks is tried again', async () => {
    symlinkSync('gone:1:u', lock)
    const readlink = async (): Promise<never> => {
      await nodeFileSystem.unlink(lock)
      throw systemError('ENOENT')
    }
    expect(await run(done, { readlink: readlink as never })).toBe('done')
  })

  test('after two hundred lost attempts it is refused', async () => {
    let attempts = 0
    const symlink = async (): Promise<never> => {
      attempts++
      throw systemError('EEXIST')
    }
    await expect(run(done, { symlink })).rejects.toThrow(refused('one writer after another'))
    expect(attempts).toBe(200)
  })

  test('a dead lock that someone else has moved away is tried again', async () => {
    symlinkSync(`${hostname()}:${deadPid()}:u`, lock)
    const rename = async (): Promise<never> => {
      await nodeFileSystem.unlink(lock)
      throw systemError('ENOENT')
    }
    expect(await run(done, { rename })).toBe('done')
  })

  /** Another writer takes the dead lock over just before we move it away. */
  const takenOver =
    (living: string): FileSystem['rename'] =>
    async (from, to) => {
      await nodeFileSystem.unlink(from)
      await nodeFileSystem.symlink(living, from)
      await nodeFileSystem.rename(from, to)
    }

  test('a living lock that was moved away is put back', async () => {
    const living = `${hostname()}:${process.ppid}:u`
    symlinkSync(`${hostname()}:${deadPid()}:u`, lock)
    await expect(run(done, { rename: takenOver(living) })).rejects.toThrow(refused(living))
    expect(readdirSync(folder)).toEqual(['session.lock'])
    expect(readlinkSync(lock)).toBe(living)
  })

  test('unless a third has come in between', async () => {
    const [living, third] = ['u1', 'u2'].map((each) => `${hostname()}:${process.ppid}:${each}`)
    symlinkSync(`${hostname()}:${deadPid()}:u`, lock)
    const rename: FileSystem['rename'] = async (from, to) => {
      await takenOver(living ?? '')(from, to)
      await nodeFileSystem.symlink(third ?? '', from)
    }
    await expect(run(done, { rename })).rejects.toThrow(refused(third ?? ''))
    expect(readdirSync(folder)).toEqual(['session.lock'])
  })
})

describe('what the file system throws is passed on', () => {
  const fails = (): Promise<never> => Promise.reject(systemError('EIO'))
  test('when the lock is made', async () => {
    await expect(run(done, { symlink: fails })).rejects.toThrow('EIO')
  })
  test('when its holder is read', async () => {
    symlinkSync('elsewhere:1:u', lock)
    await expect(run(done, { readlink: fails as never })).rejects.toThrow('EIO')
  })
  test('when it is moved away', async () => {
    symlinkSync(`${hostname()}:${deadPid()}:u`, lock)
    await expect(run(done, { rename: fails })).rejects.toThrow('EIO')
    expect(lstatSync(lock).isSymbolicLink()).toBe(true)
  })
  test('when it is put back', async () => {
    symlinkSync(`${hostname()}:${deadPid()}:u`, lock)
    let calls = 0
    const symlink: FileSystem['symlink'] = (target, path) =>
      ++calls === 1 ? nodeFileSystem.symlink(target, path) : fails()
    const readlink = async (path: string): Promise<string> =>
      path === lock ? nodeFileSystem.readlink(path) : 'someone:1:else'
    await expect(run(done, { symlink, readlink: readlink as never })).rejects.toThrow('EIO')
  })
})
