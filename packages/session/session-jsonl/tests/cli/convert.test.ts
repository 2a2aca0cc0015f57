import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { open as openFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { rewriteFile } from '../../src/cli/rewrite.ts'
import { nodeFileSystem } from '../../src/file-system.ts'
import { systemError } from '../faults.ts'
import { tempDir } from '../support.ts'
import { run } from './host.ts'
import { delta, event, header, log, packed, plain, row } from './logs.ts'

function put(text: string): string {
  const file = join(tempDir(), 'session.jsonl')
  writeFileSync(file, text)
  return file
}

describe('pack and unpack', () => {
  test.each([1, 3, 10_000])('go there and back, read %i bytes at a time', async (size) => {
    expect(await run(['pack'], plain, size)).toEqual({ code: 0, out: packed, err: '' })
    expect(await run(['unpack', '-'], packed, size)).toEqual({ code: 0, out: plain, err: '' })
  })

  test('read a file and leave it alone', async () => {
    const file = put(plain)
    expect((await run(['pack', file])).out).toBe(packed)
    expect(readFileSync(file, 'utf8')).toBe(plain)
  })

  test('joins rows of several batches, and takes what is packed already', async () => {
    const batches = log(header, row(0, 'a', 'b', 'c'), row(3, 'd', 'e'), delta(5, 'f'))
    expect((await run(['pack'], batches)).out).toBe(
      log(header, row(0, 'a', 'b', 'c', 'd', 'e', 'f')),
    )
  })

  test('keep the bytes of lines that they do not change', async () => {
    const odd = [
      '{ "data":1e0, "type":"x", "seq":0,"time":0}',
      '{"seq":1,"time":1.0,"type":"y","data":"\\u0041"}',
    ]
    const text = log(header.replace('}', ', "own": 1.50}'), ...odd)
    expect((await run(['pack'], text)).out).toBe(text)
    expect((await run(['unpack'], text)).out).toBe(text)
    const two = log(header, delta(0, 'a').replace('{', '{ '), delta(1, 'b'))
    expect((await run(['pack'], two)).out).toBe(two)
  })

  test('a last line without its line feed is a line', async () => {
    expect((await run(['pack'], plain.slice(0, -1))).out).toBe(packed)
  })

  test('a projected log comes out complete', async () => {
    const bare = log(
      header,
      '{"type":"x","data":1}',
      '{"type":"text-chunks","data":{"turn":1,"step":1,"index":0,"dt":[5,1],"texts":["a","b","c"]}}',
    )
    const first = '{"type":"x","seq":0,"time":0,"data":1}'
    expect((await run(['unpack'], bare)).out).toBe(
      log(
        header,
        first,
        delta(1, 'a'),
        delta(2, 'b').replace('"time":0', '"time":5'),
        delta(3, 'c').replace('"time":0', '"time":6'),
      ),
    )
    expect((await run(['pack'], bare)).out).toBe(
      log(header, first, row(1, 'a', 'b', 'c').replace('[0,0]', '[5,1]')),
    )
  })

  test('hand-written logs pass: no version, gaps in seq', async () => {
    const old = log('{"type":"session","id":"a","createdAt":0}', event(5), event(3))
    expect((await run(['unpack'], old)).out).toBe(old)
  })

  test.each([
    ['', '-: the session log is empty\n'],
    ['{}\n', '-:1: invalid session header at line 1: "type" must be "session"\n'],
    [`${plain}{"type"`, /^-:7: not JSON \(/],
    [
      log(header, event(0), row(1, 'a', 'b').replace('[0]', '[]')),
      '-:3: malformed text-chunks storage row: dt length 0 does not match 2 members\n',
    ],
    [Buffer.from([0xff, 0x0a]), '-:1: not UTF-8\n'],
  ])('case R9: a log that cannot be read whole is 3: %j', async (text, err) => {
    const ran = await run(['pack'], text)
    expect(ran.code).toBe(3)
    if (typeof err === 'string') expect(ran.err).toBe(err)
    else expect(ran.err).toMatch(err)
  })
})

describe('--write', () => {
  test('rewrites files in place, with their mode, and leaves nothing else', async () => {
    const [one, two] = [put(plain), put(plain)]
    chmodSync(one, 0o640)
    expect(await run(['pack', '--write', one, two])).toEqual({ code: 0, out: '', err: '' })
    expect([readFileSync(one, 'utf8'), readFileSync(two, 'utf8')]).toEqual([packed, packed])
    expect(statSync(one).mode & 0o777).toBe(0o640)
    expect(readdirSync(dirname(one))).toEqual(['session.jsonl'])
    expect(await run(['unpack', '-w', one])).toMatchObject({ code: 0 })
    expect(readFileSync(one, 'utf8')).toBe(plain)
  })

  test('leaves a log that cannot be read whole, and does the others', async () => {
    const [bad, good] = [put(`${plain}{`), put(plain)]
    const ran = await run(['pack', '-w', bad, good])
    expect(ran.code).toBe(3)
    expect(ran.err).toMatch(new RegExp(`^${bad}:7: not JSON`))
    expect(readFileSync(bad, 'utf8')).toBe(`${plain}{`)
    expect(readdirSync(dirname(bad))).toEqual(['session.jsonl'])
    expect(readFileSync(good, 'utf8')).toBe(packed)
  })

  test('case R15: keeps out of the way of a writer at work', async () => {
    const file = put(plain)
    symlinkSync(`${hostname()}:1:u`, join(dirname(file), 'session.lock'))
    const ran = await run(['pack', '-w', file])
    expect(ran.code).toBe(2)
    expect(ran.err).toContain(`another writer is writing to session log ${file}`)
    expect(readFileSync(file, 'utf8')).toBe(plain)
  })

  test('follows a link, and has the lock beside the file', async () => {
    const file = put(plain)
    const link = join(tempDir(), 'link')
    symlinkSync(file, link)
    expect(await run(['pack', '-w', link])).toEqual({ code: 0, out: '', err: '' })
    expect(readlinkSync(link)).toBe(file)
    expect(readFileSync(file, 'utf8')).toBe(packed)
    symlinkSync(`${hostname()}:1:u`, join(dirname(file), 'session.lock'))
    expect(await run(['unpack', '-w', link])).toMatchObject({ code: 2 })
    expect(readdirSync(dirname(link))).toEqual(['link'])
  })

  test('keeps a mode that the process would not give', async () => {
    const file = put(plain)
    chmodSync(file, 0o666)
    const mask = process.umask(0o077)
    try {
      expect(await run(['pack', '-w', file])).toMatchObject({ code: 0 })
    } finally {
      process.umask(mask)
    }
    expect(statSync(file).mode & 0o777).toBe(0o666)
  })

  test('does not wait for what is no regular file', async () => {
    const folder = tempDir()
    const fifo = join(folder, 'fifo')
    execFileSync('mkfifo', [fifo])
    expect(await run(['pack', '-w', fifo, folder])).toEqual({
      code: 2,
      out: '',
      err: [fifo, folder]
        .map((file) => `${file} is no regular file, and cannot be rewritten in place\n`)
        .join(''),
    })
    expect(readdirSync(folder)).toEqual(['fifo'])
  })

  test('a file that is not there stays away', async () => {
    const file = join(tempDir(), 'gone')
    expect(await run(['pack', '-w', file])).toMatchObject({ code: 2 })
    expect(readdirSync(dirname(file))).toEqual([])
  })

  test('what fails on the way leaves the old file', async () => {
    const file = put(plain)
    const content = async function* (): AsyncGenerator<string> {
      yield 'half'
    }
    const rename = () => Promise.reject(systemError('EIO'))
    const unlink: typeof nodeFileSystem.unlink = (path) =>
      String(path).endsWith('.tmp')
        ? Promise.reject(systemError('EPERM'))
        : nodeFileSystem.unlink(path)
    await expect(
      rewriteFile(file, content(), { fs: { ...nodeFileSystem, rename, unlink } }),
    ).rejects.toThrow('EIO')
    expect(readFileSync(file, 'utf8')).toBe(plain)
  })

  test('syncs the new file before it takes the place of the old, and the folder after', async () => {
    const file = put(plain)
    const calls: string[] = []
    const fs = {
      ...nodeFileSystem,
      open: (async (path: string, ...rest: never[]) => {
        const handle = await openFile(path, ...rest)
        const sync = handle.sync.bind(handle)
        handle.sync = () => {
          calls.push(path === dirname(file) ? 'sync folder' : 'sync file')
          return sync()
        }
        return handle
      }) as typeof nodeFileSystem.open,
      rename: (async (...args: [string, string]) => {
        calls.push('rename')
        return nodeFileSystem.rename(...args)
      }) as typeof nodeFileSystem.rename,
    }
    const content = async function* (): AsyncGenerator<string> {
      yield 'new'
    }
    await rewriteFile(file, content(), { fs })
    expect(calls).toEqual(['sync file', 'rename', 'sync folder'])
    expect(readFileSync(file, 'utf8')).toBe('new')
  })
})
