import { spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chmodSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseLogText, type SessionEvent } from 'dsh-session'
import { describe, expect, test } from 'vitest'
import { logPath } from '../src/paths.ts'
import { id, mount, tempDir, turn } from './support.ts'

const script = fileURLToPath(new URL('child/writer.mjs', import.meta.url))

interface Said {
  readonly id?: string
  readonly durable?: number
  readonly code?: string
  readonly message?: string
  readonly cause?: string
}

interface Run {
  readonly said: readonly Said[]
  readonly signal: string | null
}

interface Wanted {
  readonly session?: string
  readonly turns: number
  /** Dies by itself at the nth call to the file system. */
  readonly dieAt?: number
  /** Is killed from outside after saying so many things. */
  readonly killAfter?: number
}

function write(root: string, wanted: Wanted): Promise<Run> {
  const args = [script, root, wanted.session ?? '', wanted.turns, wanted.dieAt ?? 0].map(String)
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const said: Said[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    said.push(JSON.parse(line) as Said)
    if (said.length === wanted.killAfter) child.kill('SIGKILL')
  })
  return new Promise((resolve) => {
    child.on('close', (_, signal) => resolve({ said, signal }))
  })
}

const eventsOf = (root: string, session: string): readonly SessionEvent[] =>
  parseLogText(readFileSync(logPath(root, '/work', session), 'utf8')).events

/** A small generator, so that a failure can be run again from the printed seed. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

describe('case R15: a writer that is killed', () => {
  const seed = Number(process.env.DSH_TEST_SEED ?? randomInt(2 ** 31))
  test(`loses nothing that it said was durable (DSH_TEST_SEED=${seed})`, async () => {
    const below = random(seed)
    const root = tempDir()
    const { said } = await write(root, { turns: 1 })
    const session = said[0]?.id ?? ''
    let durable = eventsOf(root, session)
    for (let round = 0; round < 18; round++) {
      const how = round % 3 === 2 ? { killAfter: 1 + below(8) } : { dieAt: 1 + below(120) }
      const run = await write(root, { session, turns: 1000, ...how })
      expect([round, how, run.signal]).toEqual([round, how, 'SIGKILL'])
      const failures = run.said.filter((each) => each.code !== undefined)
      expect([round, how, failures]).toEqual([round, how, []])
      const ctx = await mount(root)
      const loaded = await ctx.sessions.load(id(session))
      expect(loaded.events.slice(0, durable.length)).toEqual(durable)
      const claimed = run.said.findLast((each) => each.durable !== undefined)?.durable ?? 0
      expect(loaded.events.length).toBeGreaterThanOrEqual(claimed)
      expect(loaded.events.at(-1)?.type).toBe('turn/end')
      await ctx.sessions.dispose(loaded)
      durable = eventsOf(root, session)
      expect(durable).toEqual(loaded.events)
    }
    const last = await write(root, { session, turns: 1 })
    expect(last.said.at(-1)).toEqual({ durable: durable.length + 5 })
  })

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
  expect(theirs).toHaveLength(10)
  turn(loaded, 2)
  await expect(ctx.sessions.flush(loaded)).rejects.toMatchObject({
    code: 'SECOND_WRITER',
    message: expect.stringMatching(
      /ending in event 4, found \d+ bytes ending in event 9/,
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
      const said = runAs('setpriv', [...ids, process.execPath, script, root, '', '1', '0'])
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
        script,
        copy,
      ])
      expect(said.at(-1)).toMatchObject({ code: 'WRITE_FAILED', cause: 'ENOSPC' })
      const durable = said.findLast((each) => each.durable !== undefined)?.durable ?? 0
      expect(durable).toBeGreaterThan(10)
      const events = eventsOf(copy, said[0]?.id ?? '')
      expect(events.length - durable).toBeLessThan(5)
      expect(events.length).toBeGreaterThanOrEqual(durable)
      rmSync(copy, { recursive: true })
    },
  )
})
