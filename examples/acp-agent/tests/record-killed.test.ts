import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, watch } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  AGENT_FLAG,
  CLI,
  input,
  record,
  scenario,
  sorted,
  tempDir,
  tree,
  wire,
} from './recording.ts'

describe('a recording that is killed', () => {
  const OLD = '{"type":"session","version":0,"id":"{{session}}","createdAt":0}\n'
  const files = {
    'input.json': input(),
    // Long enough for every moment that the test waits for.
    'wire.json': wire({ text: 'It takes its time.', cut: 1, gapMs: 100 }),
    'session.jsonl': OLD,
  }

  function start(dir: string) {
    const args = [CLI, 'record', '--dir', join(dir, '..'), '--agent', AGENT_FLAG]
    const env = { PATH: process.env['PATH'], TMPDIR: tempDir() }
    const child = spawn(process.execPath, args, { env, stdio: 'ignore' })
    return { child, ended: once(child, 'exit') }
  }

  it('leaves the old bytes, whenever that is, and the next one takes over', async () => {
    const dir = await scenario(files)
    const root = join(dir, '..')
    const moments = [
      () => appears(root, /^\.one\.lock$/),
      async (before: readonly string[]) => {
        const staged = await appears(root, /^\.one\.staged-/, before)
        await appears(join(root, staged), /^session\.jsonl$/)
      },
    ]
    for (const moment of moments) {
      const before = await readdir(root)
      const { child, ended } = start(dir)
      await moment(before)
      child.kill('SIGKILL')
      await ended
      expect([...(await tree(dir))]).toEqual(sorted(files))
      expect(await readdir(root)).toContain('.one.lock')
    }
    await expect(record(dir)).resolves.toMatchObject({ status: 'recorded' })
    expect(await readdir(root)).toEqual(['one'])
    expect(await readFile(join(dir, 'session.jsonl'), 'utf8')).not.toBe(OLD)
  })

  it('and while it lives, a second one is refused', async () => {
    const slow = wire({ text: 'It takes its time.', cut: 1, gapMs: 1000 })
    const dir = await scenario({ ...files, 'wire.json': slow })
    const { child, ended } = start(dir)
    await appears(join(dir, '..'), /^\.one\.lock$/)
    await expect(record(dir)).rejects.toMatchObject({ code: 'BUSY' })
    child.kill('SIGKILL')
    await ended
  })
})

/** A file system of so many bytes, and one that is read-only, need a mount namespace. */
const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0
if (!canMount)
  process.stderr.write('record: mounts skipped, unshare cannot make a namespace here\n')

describe.skipIf(!canMount)('a disk that takes no more', () => {
  const inside = (setup: string) => {
    const args = ['record', 'one', '--dir', '/mnt/scenarios', '--agent', AGENT_FLAG]
    const script = `${setup} && "$0" "$@"; code=$?; cat /mnt/scenarios/one/session.jsonl; ls -A /mnt/scenarios; exit $code`
    return spawnSync('unshare', ['-rm', 'bash', '-c', script, process.execPath, CLI, ...args], {
      env: { PATH: process.env['PATH'], FROM: join(tempDir(), 'scenarios'), TMPDIR: tempDir() },
      encoding: 'utf8',
    })
  }
  const files = {
    'input.json': input(),
    'wire.json': wire({ text: 'x'.repeat(40_000), cut: 40 }),
    'session.jsonl': 'committed\n',
  }

  it.each([
    ['is full', 'mount -t tmpfs -o size=96k none /mnt && cp -r "$FROM" /mnt', /ENOSPC/],
    [
      'is read-only',
      'mount -t tmpfs none /mnt && cp -r "$FROM" /mnt && mount -o remount,ro /mnt',
      /EROFS/,
    ],
  ])('%s: says so, and leaves what was committed', async (_what, setup, reason) => {
    await scenario(files)
    const { status, stdout } = inside(setup)
    expect(stdout).toMatch(reason)
    expect(stdout).toContain('what was there is unchanged')
    expect(stdout).toMatch(/\ncommitted\none\n$/)
    expect(status).toBe(1)
  })
})

/** Resolves with the name of an entry that looks so, once the folder has one. */
async function appears(
  dir: string,
  wanted: RegExp,
  before: readonly string[] = [],
): Promise<string> {
  const stop = new AbortController()
  try {
    const events = watch(dir, { signal: stop.signal })
    const next = events[Symbol.asyncIterator]()
    // Watching begins with the first request, so what is there already is looked for after it.
    for (let event = next.next(); ; event = next.next()) {
      event.catch(() => {})
      const found = (await readdir(dir)).find((name) => wanted.test(name) && !before.includes(name))
      if (found !== undefined) return found
      await event
    }
  } finally {
    stop.abort()
  }
}
