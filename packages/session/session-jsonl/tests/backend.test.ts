import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseLogText, type Session } from 'dsh-session'
import { describe, expect, test } from 'vitest'
import { JsonlBackend } from '../src/backend.ts'
import { nodeFileSystem } from '../src/file-system.ts'
import { encodeSegment } from '../src/index.ts'
import { systemError } from './faults.ts'
import { fileOf, id, mount, tempDir, turn } from './support.ts'

const header = (name: string, cwd = '/work'): string =>
  `{"type":"session","version":0,"id":"${name}","createdAt":0,"cwd":"${cwd}"}\n`

function put(root: string, project: string, name: string, text: string): string {
  const file = join(root, project, encodeSegment(name), 'session.jsonl')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

const second = expect.objectContaining({ code: 'SECOND_WRITER' })

describe('load', () => {
  test('finds nothing where there is nothing', async () => {
    const root = tempDir()
    const backend = new JsonlBackend({ root: join(root, 'none') })
    expect(await backend.load(id('a'))).toBeUndefined()
    writeFileSync(join(root, 'a-file'), '')
    mkdirSync(join(root, 'project', 'a'), { recursive: true })
    expect(await new JsonlBackend({ root }).load(id('a'))).toBeUndefined()
    expect(await new JsonlBackend({ root }).load(id('b'))).toBeUndefined()
  })

  test('finds a log by its id in whichever project', async () => {
    const root = tempDir()
    put(root, 'one', 'x', header('x'))
    put(root, 'two', 'a/b', header('a/b'))
    const log = await new JsonlBackend({ root }).load(id('a/b'))
    expect(log).toEqual({ header: JSON.parse(header('a/b')) as unknown, events: [] })
  })

  test('goes on in the file that it found, wherever that lies', async () => {
    const root = tempDir()
    const file = put(root, 'moved by hand', 'a', header('a'))
    const ctx = await mount(root)
    const session = await ctx.sessions.load(id('a'))
    turn(session)
    await ctx.sessions.flush(session)
    expect(parseLogText(readFileSync(file, 'utf8')).events).toHaveLength(3)
  })

  test('refuses two logs of one session', async () => {
    const root = tempDir()
    const files = ['one', 'two'].map((project) => put(root, project, 'a', header('a')))
    await expect(new JsonlBackend({ root }).load(id('a'))).rejects.toMatchObject({
      code: 'CORRUPT_LOG',
      message: `expected one log of session "a", found 2: ${files.join(', ')}; move all but one away`,
    })
  })

  test('refuses the log of another session', async () => {
    const root = tempDir()
    const file = put(root, 'one', 'a', header('b'))
    await expect(new JsonlBackend({ root }).load(id('a'))).rejects.toMatchObject({
      code: 'CORRUPT_LOG',
      message: `corrupt session log: expected session "a" in ${file}, found "b"`,
    })
  })

  test('refuses another version', async () => {
    const root = tempDir()
    put(root, 'one', 'a', header('a').replace('"version":0', '"version":2'))
    await expect(new JsonlBackend({ root }).load(id('a'))).rejects.toMatchObject({
      code: 'UNSUPPORTED_VERSION',
      message: 'unsupported session format version 2 for "a" (only v0 is supported)',
    })
  })

  test('says what keeps it from looking', async () => {
    const root = tempDir()
    const file = put(root, 'one', 'a', header('a'))
    const readdir = (() => Promise.reject(systemError('EACCES'))) as never
    const blind = new JsonlBackend({ root, fs: { ...nodeFileSystem, readdir } })
    await expect(blind.load(id('a'))).rejects.toThrow('EACCES')
    rmSync(file)
    mkdirSync(file)
    await expect(new JsonlBackend({ root }).load(id('a'))).rejects.toThrow('EISDIR')
    const open = (() => Promise.reject(systemError('EMFILE'))) as never
    const full = new JsonlBackend({ root, fs: { ...nodeFileSystem, open } })
    await expect(full.load(id('a'))).rejects.toThrow('EMFILE')
  })
})

describe('repair', () => {
  test('closes an open turn, in memory at once and on disk at the next flush', async () => {
    const root = tempDir()
    const rows = [
      '{"type":"turn/start","seq":0,"time":7,"data":{"turn":1}}',
      '{"type":"step/start","seq":1,"time":8,"data":{"turn":1,"step":1}}',
    ]
    const before = `${header('a')}${rows.join('\n')}\n{"type":"half`
    const file = put(root, 'one', 'a', before)
    const ctx = await mount(root)
    const session = await ctx.sessions.load(id('a'))
    expect(session.events.map((event) => [event.type, event.time])).toEqual([
      ['turn/start', 7],
      ['step/start', 8],
      ['step/end', 8],
      ['turn/end', 8],
    ])
    expect(readFileSync(file, 'utf8')).toBe(before)
    await ctx.sessions.flush(session)
    const after = readFileSync(file, 'utf8')
    expect(after.startsWith(`${header('a')}${rows.join('\n')}\n{"type":"step/end"`)).toBe(true)
    expect(parseLogText(after).events).toEqual(session.events)
  })

  test('cuts a torn tail even when there is nothing to add', async () => {
    const root = tempDir()
    const file = put(root, 'one', 'a', `${header('a')}{"type":"half`)
    const ctx = await mount(root)
    await ctx.sessions.dispose(await ctx.sessions.load(id('a')))
    expect(readFileSync(file, 'utf8')).toBe(header('a'))
  })

  test('leaves a whole log alone', async () => {
    const root = tempDir()
    put(root, 'one', 'a', header('a'))
    const ctx = await mount(root)
    const session = await ctx.sessions.load(id('a'))
    const fs = { ...nodeFileSystem, symlink: () => Promise.reject(systemError('EROFS')) }
    const backend = new JsonlBackend({ root, fs })
    const again = await backend.load(id('a'))
    expect(again?.events).toEqual([])
    await ctx.sessions.flush(session)
  })

  test('case R15: a log cut at any byte can be opened, and loses nothing that was committed', {
    timeout: 60_000,
  }, async () => {
    const root = tempDir()
    const ctx = await mount(root, { now: 1 })
    const first = ctx.sessions.create({ cwd: '/w' })
    turn(first)
    first.append('turn/start', { turn: 2 })
    first.append('tool/call', { turn: 2, step: 1, callId: 'é' })
    first.append('turn/end', { turn: 2 })
    await ctx.sessions.dispose(first)
    const file = fileOf(root, first)
    const whole = readFileSync(file)
    const committed = [3, 6].map((count) => [count, endOf(whole, count)] as const)
    for (let cut = 0; cut < whole.length; cut++) {
      writeFileSync(file, whole.subarray(0, cut))
      if (cut < endOf(whole, 0)) {
        await expect(ctx.sessions.load(first.id)).rejects.toThrow('no complete header line')
        continue
      }
      const session = await ctx.sessions.load(first.id)
      const kept = committed.findLast(([, end]) => end <= cut)?.[0] ?? 0
      expect(session.events.slice(0, kept)).toEqual(first.events.slice(0, kept))
      expect(['turn/end', undefined]).toContain(session.events.at(-1)?.type)
      await ctx.sessions.dispose(session)
      expect(parseLogText(readFileSync(file, 'utf8')).events).toEqual(session.events)
    }
  })
})

/** The offset after the line of the header and that many events. */
function endOf(bytes: Buffer, events: number): number {
  let end = 0
  for (let line = 0; line <= events; line++) end = bytes.indexOf('\n', end) + 1
  return end
}

describe('case R15: two writers', () => {
  async function two(): Promise<{ root: string; a: Session; b: Session; flush: Flush[] }> {
    const root = tempDir()
    const first = await mount(root)
    const session = first.sessions.create({ cwd: '/work' })
    turn(session)
    await first.sessions.dispose(session)
    const one = await mount(root)
    const other = await mount(root)
    const [a, b] = [await one.sessions.load(session.id), await other.sessions.load(session.id)]
    const flush = [() => one.sessions.flush(a), () => other.sessions.flush(b)]
    return { root, a, b, flush }
  }
  type Flush = () => Promise<void>

  test('of two that loaded one log, the second to write is refused', async () => {
    const { root, a, b, flush } = await two()
    turn(a, 2)
    turn(b, 2)
    await flush[0]?.()
    const before = readFileSync(fileOf(root, a), 'utf8')
    await expect(flush[1]?.()).rejects.toThrow(second)
    await expect(flush[1]?.()).rejects.toThrow(
      /expected \d+ bytes ending in event 2, found \d+ bytes ending in event 5/,
    )
    expect(readFileSync(fileOf(root, a), 'utf8')).toBe(before)
    expect(b.events).toHaveLength(6)
    turn(a, 3)
    await flush[0]?.()
    expect(parseLogText(readFileSync(fileOf(root, a), 'utf8')).events).toEqual(a.events)
  })

  test('of two that write at once, one is refused and nothing is mixed', async () => {
    const { root, a, b, flush } = await two()
    for (const each of [a, b]) for (let number = 2; number < 50; number++) turn(each, number)
    const results = await Promise.allSettled(flush.map((each) => each()))
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected'])
    const refused = results.find((result) => result.status === 'rejected')
    expect(refused?.reason).toEqual(second)
    expect(parseLogText(readFileSync(fileOf(root, a), 'utf8')).events).toEqual(a.events)
  })
})

describe('a root that cannot be written', () => {
  test('fails the flush with path and cause; once it can be, nothing is missing', async () => {
    const root = join(tempDir(), 'root')
    writeFileSync(root, 'a file where a folder belongs')
    const ctx = await mount(root)
    const session = ctx.sessions.create({ cwd: '/work' })
    turn(session)
    const flushed = ctx.sessions.flush(session)
    await expect(flushed).rejects.toMatchObject({
      code: 'WRITE_FAILED',
      cause: { code: 'ENOTDIR' },
      message: expect.stringContaining(fileOf(root, session)) as string,
    })
    expect(readFileSync(root, 'utf8')).toBe('a file where a folder belongs')
    rmSync(root)
    turn(session, 2)
    await ctx.sessions.flush(session)
    expect(parseLogText(readFileSync(fileOf(root, session), 'utf8')).events).toEqual(session.events)
  })
})
