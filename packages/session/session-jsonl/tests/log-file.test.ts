import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { Context } from '@deepseek-ai/cordis'
import { parseLogText, type Session } from 'dsh-session'
import { beforeEach, describe, expect, test } from 'vitest'
import { JsonlBackend } from '../src/backend.ts'
import { type FileSystem, nodeFileSystem } from '../src/file-system.ts'
import { Failures, systemError, withHandles } from './faults.ts'
import { fileOf, mount, tempDir, turn } from './support.ts'

let root: string
let ctx: Context
let session: Session
let file: string

beforeEach(async () => {
  root = tempDir()
  ctx = await mount()
  session = ctx.sessions.create({ cwd: '/work' })
  file = fileOf(root, session)
  turn(session)
})

const use = (fs: FileSystem): JsonlBackend => new JsonlBackend({ root, fs })
const read = (): string => readFileSync(file, 'utf8')
const failed = (message: RegExp, code = 'WRITE_FAILED') =>
  expect.objectContaining({ code, message: expect.stringMatching(message) as string })

const ROW =
  '{"type":"text-chunks","seq0":3,"time0":0,"data":{"turn":1,"step":1,"index":0,"dt":[1,1],"texts":["a","b","c"]}}'

function expectWhole(): void {
  expect(parseLogText(read()).events).toEqual(session.events)
  expect(readdirSync(dirname(file))).toEqual(['session.jsonl'])
}

describe('the first write', () => {
  test.each(['write', 'sync'] as const)('leaves nothing when %s fails', async (method) => {
    const failures = new Failures()
    failures.left = 1
    const fs = withHandles((handle) => ({
      [method]: async (...args: never[]) => {
        failures.fail('ENOSPC')
        return (handle[method] as (...args: never[]) => unknown)(...args)
      },
    }))
    const backend = use(fs)
    await expect(backend.flush(session)).rejects.toThrow(
      failed(/^cannot write session log .*session\.jsonl: ENOSPC: provoked\. .* 3 events are kept/),
    )
    expect(readdirSync(dirname(file))).toEqual([])
    await backend.flush(session)
    expectWhole()
  })

  test('gives the cause along', async () => {
    const cause = systemError('EROFS')
    const backend = use({ ...nodeFileSystem, mkdir: (() => Promise.reject(cause)) as never })
    await expect(backend.flush(session)).rejects.toThrow(expect.objectContaining({ cause }))
  })

  test('a link that fails for another reason than a collision is a failed write', async () => {
    const backend = use({ ...nodeFileSystem, link: () => Promise.reject(systemError('EPERM')) })
    await expect(backend.flush(session)).rejects.toThrow(failed(/EPERM/))
    expect(readdirSync(dirname(file))).toEqual([])
  })

  test('case R15: never replaces a log that is there', async () => {
    await use(nodeFileSystem).flush(session)
    const before = read()
    const other = (await mount()).sessions.create({ cwd: '/work' })
    turn(other)
    const flushed = use(nodeFileSystem).flush(other)
    await expect(flushed).rejects.toThrow(failed(/ending in event 2\. Nothing/, 'SECOND_WRITER'))
    await expect(flushed).rejects.toThrow(`another writer has written session log ${file}`)
    await expect(flushed).rejects.toThrow(
      `expected no file, found ${before.length} bytes ending in event 2`,
    )
    await expect(flushed).rejects.toMatchObject({ cause: { code: 'EEXIST' } })
    expect(read()).toBe(before)
    expect(readdirSync(dirname(file))).toEqual(['session.jsonl'])
  })

  test('a temporary name that cannot be removed does not fail the write', async () => {
    const unlink = (): Promise<void> => Promise.reject(systemError('EIO'))
    await use({ ...nodeFileSystem, unlink }).flush(session)
    expect(parseLogText(read()).events).toEqual(session.events)
  })

  test('syncs the new folders and the one that holds them, and tries again where that failed', async () => {
    const failures = new Failures()
    const synced: string[] = []
    const fs = withHandles((handle, path) => ({
      sync: async () => {
        if (!path.endsWith('.tmp')) {
          failures.fail('EIO')
          synced.push(path)
        }
        return handle.sync()
      },
    }))
    const backend = use(fs)
    failures.left = 1
    await expect(backend.flush(session)).rejects.toThrow(failed(/EIO/))
    expectWhole()
    await backend.flush(session)
    const project = dirname(dirname(file))
    expect(synced).toEqual([dirname(file), project, root])
    const second = ctx.sessions.create({ cwd: '/work' })
    turn(second)
    synced.length = 0
    await backend.flush(second)
    expect(synced).toEqual([dirname(fileOf(root, second)), project])
    expectWhole()
  })

  test('a folder that is there already is synced alone', async () => {
    await use(nodeFileSystem).flush(session)
    rmSync(file)
    const synced: string[] = []
    const fs = withHandles((handle, path) => ({
      sync: () => {
        synced.push(path)
        return handle.sync()
      },
    }))
    const again = (await mount()).sessions.create({ cwd: '/work' })
    turn(again)
    await use(fs).flush(again)
    expect(synced.slice(1)).toEqual([dirname(file)])
  })
})

describe('a later write', () => {
  test('writes everything however often the system stops short', async () => {
    const fs = withHandles((handle) => ({
      write: (bytes: Buffer, offset: number, length: number, position: number) =>
        handle.write(bytes, offset, Math.min(length, 7), position),
      read: (bytes: Buffer, offset: number, length: number, position: number) =>
        handle.read(bytes, offset, Math.min(length, 5), position),
    }))
    const backend = use(fs)
    await backend.flush(session)
    turn(session, 2)
    await backend.flush(session)
    turn(session, 3)
    await backend.flush(session)
    expectWhole()
  })

  test.each(['write', 'sync'] as const)('restores the old bytes when %s fails', async (method) => {
    const failures = new Failures()
    const fs = withHandles((handle) => ({
      write: async (bytes: Buffer, offset: number, length: number, position: number) => {
        if (failures.left > 0 && method === 'write') await handle.write(bytes, 0, 9, position)
        if (method === 'write') failures.fail('ENOSPC')
        return handle.write(bytes, offset, length, position)
      },
      sync: async () => {
        if (method === 'sync') failures.fail('ENOSPC')
        return handle.sync()
      },
    }))
    const backend = use(fs)
    await backend.flush(session)
    const before = read()
    turn(session, 2)
    failures.left = 1
    await expect(backend.flush(session)).rejects.toThrow(failed(/ENOSPC.* 3 events are kept/))
    expect(read()).toBe(before)
    turn(session, 3)
    await backend.flush(session)
    expectWhole()
  })

  /** Fails to write after `part` bytes, and then to cut them off. */
  async function leaveRest(part: number): Promise<JsonlBackend> {
    const failures = new Failures()
    const fs = withHandles((handle) => ({
      write: async (bytes: Buffer, offset: number, length: number, position: number) => {
        if (failures.left === 0) return handle.write(bytes, offset, length, position)
        await handle.write(bytes, 0, part, position)
        throw systemError('EIO')
      },
      truncate: async (size: number) => {
        // The first cut of an append changes nothing; it is the undoing that shall fail.
        if (failures.left > 0 && --failures.left === 0) throw systemError('EIO')
        return handle.truncate(size)
      },
    }))
    const backend = use(fs)
    await backend.flush(session)
    const before = read()
    turn(session, 2)
    failures.left = 2
    await expect(backend.flush(session)).rejects.toThrow(failed(/EIO/))
    expect(read()).toHaveLength(before.length + part)
    return backend
  }

  test.each([1, 40])('cuts what a failed write left (%d bytes) by itself', async (part) => {
    const backend = await leaveRest(part)
    await backend.flush(session)
    expectWhole()
  })

  test('tells what a failed write left from what another writer wrote', async () => {
    const backend = await leaveRest(40)
    truncateSync(file, read().length - 1)
    appendFileSync(file, '#')
    await expect(backend.flush(session)).rejects.toThrow(failed(/ending in/, 'SECOND_WRITER'))
    expect(read().endsWith('#')).toBe(true)
  })

  test('an event is not written twice when only the lock could not be let go', async () => {
    const failures = new Failures()
    const unlink: FileSystem['unlink'] = async (path) => {
      failures.fail('EIO')
      return nodeFileSystem.unlink(path)
    }
    const backend = use({ ...nodeFileSystem, unlink })
    await backend.flush(session)
    turn(session, 2)
    failures.left = 1
    await expect(backend.flush(session)).rejects.toThrow(failed(/EIO/))
    turn(session, 3)
    await backend.flush(session)
    expectWhole()
  })

  test('a log that has vanished is not made anew', async () => {
    const backend = use(nodeFileSystem)
    await backend.flush(session)
    rmSync(file)
    turn(session, 2)
    await expect(backend.flush(session)).rejects.toThrow(failed(/ENOENT/))
    expect(existsSync(file)).toBe(false)
  })

  test.each<[string, (text: string) => string, string]>([
    ['longer', (text) => `${text}{"type":"x","seq":3,"time":0,"data":0}\n`, 'event 3'],
    ['shorter', (text) => text.slice(0, text.trimEnd().lastIndexOf('\n') + 1), 'event 1'],
    ['other at the end', (text) => text.replace('completed', 'cancelled'), 'event 2'],
    ['cut', (text) => text.slice(0, -9), 'an incomplete line'],
    ['packed', (text) => `${text}${ROW}\n`, 'event 5'],
    ['damaged', (text) => `${text}${ROW.replace('[1,1]', '[]')}\n`, 'an incomplete line'],
    ['other JSON', (text) => `${text}{"seq":"3"}\n`, 'no event'],
    ['no object', (text) => `${text}null\n`, 'no event'],
    ['empty', () => '', 'an incomplete line'],
  ])('case R15: refuses a log that has become %s', async (_, change, ending) => {
    const backend = use(nodeFileSystem)
    await backend.flush(session)
    const before = read()
    const changed = change(before)
    writeFileSync(file, changed)
    turn(session, 2)
    const flushed = backend.flush(session)
    await expect(flushed).rejects.toThrow(failed(/./, 'SECOND_WRITER'))
    await expect(flushed).rejects.toThrow(
      `${file}: expected ${before.length} bytes ending in event 2, found ${changed.length} bytes ending in ${ending}. Nothing`,
    )
    expect(read()).toBe(changed)
    writeFileSync(file, before)
    await backend.flush(session)
    expectWhole()
  })

  test('compares the end of a log that is longer than what is compared', async () => {
    const backend = use(nodeFileSystem)
    session.append('x', 'y'.repeat(200_000))
    await backend.flush(session)
    turn(session, 2)
    await backend.flush(session)
    session.append('x', 'z'.repeat(5000))
    await backend.flush(session)
    turn(session, 3)
    await backend.flush(session)
    expectWhole()
    const text = read()
    writeFileSync(file, text.replace(/z(?=z{9}")/, 'Z'))
    turn(session, 4)
    await expect(backend.flush(session)).rejects.toThrow(
      failed(/ending in event 10/, 'SECOND_WRITER'),
    )
  })
})
