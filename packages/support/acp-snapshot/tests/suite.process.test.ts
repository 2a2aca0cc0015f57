import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { header, jsonl } from './temp.ts'

const here = fileURLToPath(new URL('..', import.meta.url))
const vitest = join(
  dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
  'vitest.mjs',
)

/** A project of somebody else's, whose agent never answers a prompt. */
function project(timeoutMs: number): { readonly dir: string; readonly temp: string } {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'dsh-suite-project-')))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const files = {
    'package.json': '{"type":"module"}',
    'snap.test.js': `import { snapshotSuite } from 'dsh-acp-snapshot/vitest'
snapshotSuite({
  scenariosDir: new URL('snapshots', import.meta.url),
  command: [process.execPath, ${JSON.stringify(join(here, 'tests/agents/mute.mjs'))}],
  tempRoot: ${JSON.stringify(join(dir, 'temp'))},
  keepFailed: false,
})
`,
    'snapshots/mute/input.json': JSON.stringify({ steps: [{ op: 'initialize' }], timeoutMs }),
    'snapshots/mute/session.jsonl': jsonl(header('{{session}}')),
    'temp/.keep': '',
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), text)
  }
  mkdirSync(join(dir, 'node_modules'))
  symlinkSync(here, join(dir, 'node_modules/dsh-acp-snapshot'))
  symlinkSync(dirname(vitest), join(dir, 'node_modules/vitest'))
  return { dir, temp: join(dir, 'temp') }
}

function start(dir: string): { readonly child: ChildProcess; readonly said: () => string } {
  // A terminal sends Ctrl-C to a whole group, which must not be ours.
  const child = spawn(process.execPath, [vitest, 'run', '--root', dir], {
    cwd: dir,
    detached: true,
    env: { ...process.env, VITEST: undefined, CI: '1', NO_COLOR: '1' },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      text += String(chunk)
    })
  }
  return { child, said: () => text }
}

/** Runs that are there, by their folders. */
function runs(temp: string): string[] {
  return readdirSync(temp).filter((name) => !name.startsWith('.'))
}

/** Processes that were started for a project, by what names its folder in their environment. */
function left(temp: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`=${temp}/dsh-snapshot-`)
    } catch {
      return false
    }
  })
}

/** Processes that work in a project's folder: Vitest's workers outlive its main process for a moment. */
function workers(dir: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === dir
    } catch {
      return false
    }
  })
}

it('a mute agent ends by its own bound, as a verdict, and leaves nothing', async () => {
  // More than the five seconds that Vitest gives a test unless it is told otherwise.
  const { dir, temp } = project(5_500)
  const { child, said } = start(dir)
  const [code] = await once(child, 'close')
  expect(said()).toContain('✗ mute: fault')
  expect(said()).toContain('nothing after 5500 ms while waiting for step 0 (initialize)')
  expect(code).toBe(1)
  expect(runs(temp)).toEqual([])
  expect(left(temp)).toEqual([])
})

it('Ctrl-C in Vitest ends the run', async () => {
  const { dir, temp } = project(600_000)
  const { child } = start(dir)
  const agentIsThere = async (): Promise<void> => {
    while (left(temp).length === 0) await new Promise(setImmediate)
  }
  await agentIsThere()
  process.kill(-(child.pid as number), 'SIGINT')
  await once(child, 'close')
  while (workers(dir).length + left(temp).length > 0) await new Promise(setImmediate)
  expect(runs(temp)).toEqual([])
  expect(existsSync(temp)).toBe(true)
})
