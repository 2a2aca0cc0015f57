import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Context } from '@deepseek-ai/cordis'
import { brandString } from 'dsh-brand'
import * as session from 'dsh-session'
import * as sessionJsonl from 'dsh-session-jsonl'
import { afterEach, beforeEach, expect, it } from 'vitest'

const AGENT = fileURLToPath(new URL('../bin.js', import.meta.url))
const SNAPSHOTS = new URL('../../acp-agent/tests/snapshots/', import.meta.url)
const recordingOf = (scenario: string) =>
  fileURLToPath(new URL(`${scenario}/session.jsonl`, SNAPSHOTS))
const RECORDING = recordingOf('tool-call-turn')
const PROMPT = 'Run `printf ready` with bash, then answer with the single word DONE.'

let dir: string
beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'dsh-stdio-')))
})
afterEach(() => rm(dir, { recursive: true }))

/** Starts the agent on a recording, with nothing in the environment but what that needs. */
function start(args: readonly string[] = [], file = RECORDING) {
  const env = {
    PATH: process.env['PATH'],
    HOME: dir,
    DSH_SNAPSHOT: 'replay',
    DSH_SNAPSHOT_FILE: file,
    DSH_SNAPSHOT_SESSIONS_ROOT: join(dir, 'sessions'),
  }
  return spawn(process.execPath, [AGENT, ...args], { cwd: dir, env })
}

async function run(prompts: string, args?: readonly string[], file?: string) {
  const child = start(args, file)
  child.stdin.end(prompts)
  const outcome = [once(child, 'exit'), text(child.stdout), text(child.stderr)] as const
  const [[code], stdout, stderr] = await Promise.all(outcome)
  return { code: code as unknown, stdout, stderr }
}

const idIn = (stderr: string) => /^\[session\] (\S+) in /.exec(stderr)?.[1] ?? ''

async function logLines(): Promise<string[]> {
  const files = await readdir(join(dir, 'sessions'), { recursive: true })
  const logs = files.filter((file) => file.endsWith('session.jsonl'))
  expect(logs).toHaveLength(1)
  const log = await readFile(join(dir, 'sessions', logs[0] ?? ''), 'utf8')
  return log.trimEnd().split('\n')
}

/** Without what differs from run to run, or is left out of a recording. */
const comparable = (events: readonly session.SessionEvent[]) =>
  events.filter((event) => event.type !== 'request/header').map((event) => ({ ...event, time: 0 }))

it('answers a prompt on stdin, and its packed log loads under the default configuration', async () => {
  const { code, stdout, stderr } = await run(`${PROMPT}\n`)
  const id = idIn(stderr)
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: 'DONE\n',
    stderr: `[session] ${id} in ${dir}\n[tool] bash: Print the word ready\n[ok] ready\n`,
  })

  const types = (await logLines()).map((line) => (JSON.parse(line) as { type: string }).type)
  expect(types.filter((type) => type.endsWith('-chunks'))).toEqual([
    'reasoning-chunks',
    'tool-call-chunks',
  ])

  const ctx = new Context()
  ctx.plugin(session)
  await new Promise<void>((resolve) => {
    ctx.inject(['sessions'], () => resolve())
  })
  await ctx.plugin(sessionJsonl, { root: join(dir, 'sessions') })
  const loaded = await ctx.sessions.load(brandString<'SessionId'>(id))
  const recorded = session.parseLogText(await readFile(RECORDING, 'utf8'))
  expect(comparable(loaded.events)).toEqual(comparable(recorded.events))
  await ctx.fiber.dispose()
})

it('runs a turn per line', async () => {
  const recording = recordingOf('multi-turn')
  const { events } = session.parseLogText(await readFile(recording, 'utf8'))
  const textsOf = (type: string) =>
    events
      .filter((event) => event.type === type)
      .flatMap((event) => (event.data as session.CoreEvents['user/message']).content)
      .flatMap((block) => (block.type === 'text' ? [`${block.text}\n`] : []))
  const prompts = textsOf('user/message')
  expect(prompts.length).toBeGreaterThan(1)
  const { code, stdout } = await run(prompts.join(''), [], recording)
  expect({ code, stdout }).toEqual({ code: 0, stdout: textsOf('assistant/message').join('') })
})

it('resumes a session, and says where the recording ends', async () => {
  const id = idIn((await run(`${PROMPT}\n`)).stderr)
  const before = await logLines()
  const { code, stdout, stderr } = await run('And now?\n', ['--resume', id])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^\[error\] turn failed: llm-replay: script exhausted/m)
  expect(stderr).toMatch(/\n1 of 1 turns failed\n$/)
  const after = await logLines()
  expect(after.slice(0, before.length)).toEqual(before)
  expect(after.slice(before.length).join('\n')).toContain('And now?')
})

it.each(['SIGINT', 'SIGTERM'] as const)('ends on %s when idle', async (signal) => {
  const child = start()
  const exit = once(child, 'exit')
  await once(child.stderr, 'data')
  child.kill(signal)
  expect(await exit).toEqual([0, null])
})
