import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseLogText, type SessionEvent } from 'dsh-session'
import { describe, expect, test } from 'vitest'
import { logPath } from '../src/paths.ts'
import { seedOfRun } from './stress/random.mjs'
import { killRounds } from './stress/kill-rounds.mjs'
import { type Said, WRITER, write } from './stress/writer-process.mjs'
import { id, mount, tempDir, turn } from './support.ts'

const eventsOf = (root: string, session: string): readonly SessionEvent[] =>
  parseLogText(readFileSync(logPath(root, '/work', session), 'utf8')).events

describe('case R15: a writer that is killed', () => {
  const seed = seedOfRun()
  test.each(['plain', 'packed'] as const)(
    `loses nothing that it said was durable, %s (DSH_TEST_SEED=${seed})`,
    async (layout) => {
      const { kills, events } = await killRounds({ root: tempDir(), rounds: 12, seed, layout })
      expect(kills).toBe(12)
      expect(events).toBeGreaterThan(12)
    },
  )

  test('before its first write was published leaves no log', async () => {
    const root = tempDir()
    const run = await write(root, { turns: 1, dieAt: 3 })
    expect(run.signal).toBe('SIGKILL')
    const ctx = await mount(root)
    await expect(ctx.sessions.load(id(run.said[0]?.id ?? ''))).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
    })
  })
})

test('case R15: of two processes on one log the second to write is refused', async () => {
  const root = tempDir()
  const { said } = await write(root, { turns: 1 })
  const session = said[0]?.id ?? ''
  const runs = await Promise.all([1, 2, 3].map(() => write(root, { session, turns: 40 })))
  const refused = runs.filter((run) => run.said.at(-1)?.code === 'SECOND_WRITER')
  const durable = runs.flatMap((run) => run.said.flatMap((each) => each.durable ?? []))
  // Whoever loads after another has finished may go on: what matters is that no two mix.
  expect(new Set(durable).size).toBe(durable.length)
  for (const run of runs) expect(run.said.at(-1)?.code ?? 'SECOND_WRITER').toBe('SECOND_WRITER')
  expect(refused.length).toBeLessThan(3)
  expect(eventsOf(root, session)).toHaveLength(Math.max(...durable))
})

test('case R15: a process that loaded a log before another wrote to it is refused', async () => {
  const root = tempDir()
  const { said } = await write(root, { turns: 1 })
  const session = said[0]?.id ?? ''
  const ctx = await mount(root)
  const loaded = await ctx.sessions.load(id(session))
  await write(root, { session, turns: 1 })
  const theirs = eventsOf(root, session)
  expect(theirs).toHaveLength(18)
  turn(loaded, 2)
  await expect(ctx.sessions.flush(loaded)).rejects.toMatchObject({
    code: 'SECOND_WRITER',
    message: expect.stringMatching(
      /ending in event 8, found \d+ bytes ending in event 17/,
    ) as string,
  })
  expect(eventsOf(root, session)).toEqual(theirs)
})

function runAs(command: string, args: readonly string[]): Said[] {
  const { stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  if (error !== undefined) throw error
  expect(stderr).toBe('')
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Said)
}

const isRoot = process.getuid?.() === 0
const can = (command: string, ...args: string[]): boolean =>
  isRoot && spawnSync(command, args).status === 0

describe('a root that cannot be written', () => {
  test.skipIf(!can('setpriv', '--reuid=65534', 'true'))(
    'because it belongs to someone else (skipped: needs root and setpriv)',
    async () => {
      const root = tempDir()
      chmodSync(root, 0o755)
      const ids = ['--reuid=65534', '--regid=65534', '--clear-groups']
      const said = runAs('setpriv', [...ids, process.execPath, WRITER, root, '', '1', '0'])
      expect(said.at(-1)).toMatchObject({ code: 'WRITE_FAILED', cause: 'EACCES' })
      expect(said.at(-1)?.message).toContain(`cannot write session log ${root}/`)
    },
  )

  test.skipIf(!can('unshare', '-m', 'true'))(
    'because the disk is full: the old bytes stay (skipped: needs root and unshare)',
    async () => {
      const root = tempDir()
      const copy = join(tempDir(), 'copy')
      const shell = [
        'mount -t tmpfs -o size=64k tmpfs "$1" && cd "$1"',
        '"$2" "$3" "$1" "" 200 0 && cp -r "$1" "$4"',
      ].join(' && ')
      const said = runAs('unshare', [
        '-m',
        'sh',
        '-c',
        shell,
        'sh',
        root,
        process.execPath,
        WRITER,
        copy,
      ])
      expect(said.at(-1)).toMatchObject({ code: 'WRITE_FAILED', cause: 'ENOSPC' })
      const durable = said.findLast((each) => each.durable !== undefined)?.durable ?? 0
      expect(durable).toBeGreaterThan(10)
      const events = eventsOf(copy, said[0]?.id ?? '')
      expect(events.length - durable).toBeLessThan(9)
      expect(events.length).toBeGreaterThanOrEqual(durable)
      rmSync(copy, { recursive: true })
    },
  )
})
