import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tool } from 'dsh-tools'
import { expect, test } from 'vitest'
import type { Settings } from '../src/config.ts'
import { NetworkIsolation } from '../src/network.ts'
import { runProcess } from '../src/run.ts'
import { bashTool } from '../src/tool.ts'
import { contextIn, ManualClock, tempDir, textOf } from './support.ts'

const PLAIN: Settings = { environment: 'scrubbed', network: 'inherit' }

function bash(settings: Settings = PLAIN, warnings: string[] = []): Tool {
  const env = { PATH: process.env['PATH'], SECRET_THING: 's', DSH_SNAPSHOT_REPORT: '/r', USER: 'u' }
  const isolation = new NetworkIsolation(runProcess)
  return bashTool({ settings, env, isolation, warn: (text) => void warnings.push(text) })
}

async function run(command: string, args: object = {}, cwd: string = tempDir()): Promise<string> {
  const context = contextIn(cwd, new AbortController().signal, new ManualClock())
  return textOf(await bash().execute({ command, description: 'd', ...args }, context))
}

test('answers as recorded', async () => {
  const context = contextIn('/', new AbortController().signal, new ManualClock())
  const args = { command: 'echo SNAPSHOT_OK', description: 'Run echo SNAPSHOT_OK' }
  expect(await bash().execute(args, context)).toEqual({
    content: [{ type: 'text', text: 'SNAPSHOT_OK\n' }],
  })
  expect(await run("printf 'before\\n' > out.txt && cat out.txt")).toBe('before\n')
})

test('a failing command is an answer, not an error', async () => {
  const context = contextIn('/', new AbortController().signal, new ManualClock())
  expect(await bash().execute({ command: 'false', description: 'd' }, context)).toEqual({
    content: [{ type: 'text', text: '(no output)\n[exit code: 1]' }],
  })
  expect(await run('echo a; echo b >&2; exit 2')).toBe('a\n[stderr]\nb\n[exit code: 2]')
  expect(await run('no-such-command')).toBe(
    '[stderr]\nbash: line 1: no-such-command: command not found\n[exit code: 127]',
  )
})

test('runs in the cwd of the session, or in a folder relative to it, or an absolute one', async () => {
  const cwd = tempDir()
  mkdirSync(join(cwd, 'sub'))
  expect(await run('pwd', {}, cwd)).toBe(`${cwd}\n`)
  expect(await run('pwd', { workdir: 'sub' }, cwd)).toBe(`${cwd}/sub\n`)
  expect(await run('pwd', { workdir: '/' }, cwd)).toBe('/\n')
})

test('nothing persists from one call to the next', async () => {
  const cwd = tempDir()
  await run('cd /; A=1; export A', {}, cwd)
  expect(await run('echo "$PWD-$A"', {}, cwd)).toBe(`${cwd}-\n`)
})

test.each(['scrubbed', 'inherit'] as const)('the environment is %s', async (environment) => {
  const context = contextIn('/', new AbortController().signal, new ManualClock())
  const tool = bash({ environment, network: 'inherit' })
  const command = 'echo "$USER-$LC_ALL-$TZ-$SECRET_THING$DSH_SNAPSHOT_REPORT"'
  expect(textOf(await tool.execute({ command, description: 'd' }, context))).toBe(
    environment === 'scrubbed' ? '-C.UTF-8-UTC-\n' : 'u---\n',
  )
})

test('without network, the same answers', async () => {
  const context = contextIn('/', new AbortController().signal, new ManualClock())
  const warnings: string[] = []
  const tool = bash({ environment: 'scrubbed', network: 'none' }, warnings)
  const command = 'echo e >&2; grep -c : /proc/net/dev; exit 4'
  const text = textOf(await tool.execute({ command, description: 'd' }, context))
  if (warnings.length === 0) expect(text).toBe('1\n[stderr]\ne\n[exit code: 4]')
  expect(text).toMatch(/\[stderr\]\ne\n\[exit code: 4\]$/)
})

test.each([
  [undefined, 120_000],
  [5, 5],
  [600_000, 600_000],
  [600_001, 600_000],
])('a limit of %s is one of %s ms', async (timeoutMs, limit) => {
  const clock = new ManualClock()
  const context = contextIn('/', new AbortController().signal, clock)
  const args = { command: 'sleep 1000', description: 'd', timeoutMs }
  const outcome = bash().execute(args, context)
  await clock.armed(limit)
  clock.fire(limit)
  expect(await outcome).toEqual({
    content: [
      {
        type: 'text',
        text: `(no output)\n[timed out after ${limit}ms]\n[killed by signal: SIGTERM]`,
      },
    ],
  })
})

test('a cancelled turn cancels the command', async () => {
  const clock = new ManualClock()
  const controller = new AbortController()
  const context = contextIn('/', controller.signal, clock)
  const outcome = bash().execute({ command: 'sleep 1000', description: 'd' }, context)
  await clock.armed(120_000)
  controller.abort()
  await expect(outcome).rejects.toMatchObject({ code: 'ABORTED' })
})

test.each([
  [{ description: 'd' }, 'command: Invalid input: expected string, received undefined'],
  [{ command: 'x' }, 'description: Invalid input: expected string, received undefined'],
  [{ command: 'x\0', description: 'd' }, 'command: Invalid command: it contains a NUL character'],
  [
    { command: 'x', description: 'd', timeoutMs: 0 },
    'timeoutMs: Too small: expected number to be >=1',
  ],
  [
    { command: 'x', description: 'd', timeoutMs: -1 },
    'timeoutMs: Too small: expected number to be >=1',
  ],
  [
    { command: 'x', description: 'd', timeoutMs: 1.5 },
    'timeoutMs: Invalid input: expected int, received number',
  ],
  [
    { command: 'x', description: 'd', timeoutMs: '5' },
    'timeoutMs: Invalid input: expected number, received string',
  ],
  [
    { command: 'x', description: 'd', workdir: '' },
    'workdir: Too small: expected string to have >=1 characters',
  ],
  [
    { command: 'x', description: 'd', workdir: '\0' },
    'workdir: Invalid path: it contains a NUL character',
  ],
  [{ command: 'x', description: 'd', workdir: '/none' }, 'workdir: "/none" is not a directory'],
])('refuses %j', async (args, problem) => {
  const context = contextIn('/', new AbortController().signal, new ManualClock())
  await expect(bash().execute(args, context)).rejects.toMatchObject({
    name: 'ToolError',
    code: 'INVALID_ARGS',
    message: `invalid arguments for "bash": ${problem}`,
  })
})

test('a file is no folder to run in', async () => {
  const cwd = tempDir()
  writeFileSync(join(cwd, 'a'), '')
  await expect(run('pwd', { workdir: 'a' }, cwd)).rejects.toThrow(
    `workdir: "${cwd}/a" is not a directory`,
  )
})

test.each([
  [{ description: 'List files', command: 'ls' }, 'List files'],
  [{ description: '', command: 'ls' }, 'ls'],
  [{ description: 1, command: 'ls' }, 'ls'],
  [{ command: 1 }, 'bash'],
  [null, 'bash'],
  ['x', 'bash'],
])('shows a call with %j', (args, title) => {
  expect(bash().display?.(args)).toEqual({ title })
})

test('describes itself to the model', () => {
  const { name, kind, description, parameters } = bash()
  expect({ name, kind }).toEqual({ name: 'bash', kind: 'execute' })
  expect(description).toBe(
    'Execute a bash command in a fresh shell and return its output. Nothing persists between ' +
      'calls: pass workdir instead of using cd. A non-zero exit is reported as [exit code: N]. ' +
      'Long output is cut to its end.',
  )
  expect(parameters).toEqual({
    type: 'object',
    properties: {
      command: { type: 'string', description: 'The bash command to execute.' },
      description: {
        type: 'string',
        description: 'What the command does, in 5 to 10 words in active voice, for display.',
      },
      timeoutMs: {
        type: 'integer',
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Time limit in milliseconds. Defaults to 120000; 600000 at most.',
      },
      workdir: {
        type: 'string',
        minLength: 1,
        description: 'Folder to run in. Defaults to the working directory; relative to it.',
      },
    },
    required: ['command', 'description'],
  })
})
