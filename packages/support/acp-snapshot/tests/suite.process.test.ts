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
import { describe, expect, it, onTestFinished } from 'vitest'
import { header, jsonl } from './temp.ts'
import { GREEN } from './tier/example.ts'

const here = fileURLToPath(new URL('..', import.meta.url))
const vitest = join(
  dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
  'vitest.mjs',
)

/** A project of somebody else's. */
function projectOf(files: Readonly<Record<string, string>>): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'dsh-suite-project-')))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  for (const [name, text] of Object.entries({ 'package.json': '{"type":"module"}', ...files })) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), text.replaceAll('{{dir}}', dir))
  }
  mkdirSync(join(dir, 'node_modules'))
  symlinkSync(here, join(dir, 'node_modules/dsh-acp-snapshot'))
  symlinkSync(dirname(vitest), join(dir, 'node_modules/vitest'))
  return dir
}

/** One whose agent never answers a prompt. */
function project(timeoutMs: number): { readonly dir: string; readonly temp: string } {
  const dir = projectOf({
    'snap.test.js': `import { snapshotSuite } from 'dsh-acp-snapshot/vitest'
snapshotSuite({
  scenariosDir: new URL('snapshots', import.meta.url),
  command: [process.execPath, ${JSON.stringify(join(here, 'tests/agents/mute.mjs'))}],
  tempRoot: '{{dir}}/temp',
  keepFailed: false,
})
`,
    'snapshots/mute/input.json': JSON.stringify({ steps: [{ op: 'initialize' }], timeoutMs }),
    'snapshots/mute/session.jsonl': jsonl(header('{{session}}')),
    'temp/.keep': '',
  })
  return { dir, temp: join(dir, 'temp') }
}

function start(
  dir: string,
  ...args: string[]
): { readonly child: ChildProcess; readonly said: () => string } {
  // A terminal sends Ctrl-C to a whole group, which must not be ours.
  const child = spawn(process.execPath, [vitest, 'run', '--root', dir, ...args], {
    cwd: dir,
    detached: true,
    env: { ...process.env, VITEST: undefined, CI: '1', NO_COLOR: '1', GITHUB_ACTIONS: undefined },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      text += String(chunk)
    })
  }
  return { child, said: () => text }
}

async function ended(dir: string, ...args: string[]) {
  const { child, said } = start(dir, ...args)
  const [code] = (await once(child, 'close')) as [number]
  return { code, said: said() }
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

describe('with a config file, for Vitest and the command line alike', () => {
  const agent = join(here, 'tests/agents/replays.mjs')
  const config = (more: object = {}) =>
    JSON.stringify({
      command: [process.execPath, agent],
      scenariosDir: 'snapshots',
      ...more,
    })
  const suite = (more = '') => `import { loadConfig, snapshotSuite } from 'dsh-acp-snapshot/vitest'
const config = await loadConfig(new URL('dsh-snapshot.config.json', import.meta.url))
snapshotSuite({ ...config, tempRoot: '{{dir}}/temp', keepFailed: false${more} })
`
  const scenarios = (...names: string[]) =>
    Object.fromEntries(
      names.flatMap((name) =>
        Object.entries(GREEN).map(([file, text]) => [`snapshots/${name}/${file}`, text]),
      ),
    )
  const red = { env: { FAKE_SAYS: 'STEADY' } }

  it("Vitest's own filters choose scenarios, and files of shares spread them over shards", async () => {
    const dir = projectOf({
      'dsh-snapshot.config.json': config(),
      '1.test.js': suite(", part: '1/2'"),
      '2.test.js': suite(", part: '2/2'"),
      'temp/.keep': '',
      ...scenarios('a', 'b', 'c'),
    })
    const passed = (said: string) =>
      [...said.matchAll(/✓ \S+ > snapshots > (\w)/g)].map(([, name]) => name)
    const run = (...args: string[]) => ended(dir, '--reporter', 'verbose', ...args)
    const one = await run('1.test', '-t', 'c')
    expect([one.code, passed(one.said)]).toEqual([0, ['c']])
    const shards = [await run('--shard', '1/2'), await run('--shard', '2/2')]
    expect(shards.map(({ code }) => code)).toEqual([0, 0])
    expect(shards.map(({ said }) => passed(said).length === 0)).toEqual([false, false])
    expect(shards.flatMap(({ said }) => passed(said)).sort()).toEqual(['a', 'b', 'c'])
  })

  it('a red is whole in what JUnit and GitHub show, at the line of the suite', async () => {
    const dir = projectOf({
      'dsh-snapshot.config.json': config({ ...red, invocation: 'npx snap {mode}' }),
      'snap.test.js': suite(),
      'temp/.keep': '',
      ...scenarios('one'),
    })
    const { code, said } = await ended(dir, '--reporter', 'junit', '--reporter', 'github-actions')
    expect(code).toBe(1)
    const [junit, github] = [said.slice(said.indexOf('<?xml')), said.slice(said.indexOf('::error'))]
    for (const text of ['✗ one: stdout-differs', 'npx snap refresh one', 'STEADY']) {
      expect(junit).toContain(text)
      expect(github).toContain(text)
    }
    expect(junit).toMatch(/<testcase classname="snap\.test\.js" name="snapshots &gt; one"/)
    const title = 'title=snap.test.js > snapshots > one'
    expect(github).toContain(`::error file=${join(dir, 'snap.test.js')},${title},line=3,column=1::`)
  })

  it('the command line judges by the same rules, and names the same command', async () => {
    const files = (more: object) => ({
      'dsh-snapshot.config.json': config(more),
      'snap.test.js': suite(),
      'temp/.keep': '',
      ...scenarios('one'),
    })
    const cli = async (dir: string) => {
      const child = spawn(process.execPath, [join(here, 'bin.js'), 'replay'], {
        cwd: dir,
        env: { PATH: process.env['PATH'], TMPDIR: join(dir, 'temp') },
      })
      let said = ''
      child.stdout.on('data', (text) => {
        said += String(text)
      })
      const [code] = (await once(child, 'close')) as [number]
      return { code, said }
    }
    const bare = projectOf(files({ ...red, invocation: 'npx snap {mode}' }))
    const without = await cli(bare)
    expect(without.code).toBe(1)
    expect(without.said).toContain('npx snap refresh one')
    const ruled = projectOf(
      files({ ...red, normalise: [{ pattern: 'READY|STEADY', token: '{{word}}' }] }),
    )
    expect(await cli(ruled)).toMatchObject({ code: 0 })
    expect(await ended(ruled)).toMatchObject({ code: 0 })
  })

  it('runs as many at a time as it is told', async () => {
    const dir = projectOf({
      'dsh-snapshot.config.json': config({
        concurrency: 1,
        env: { FAKE_ALONE: '{{dir}}/running' },
      }),
      'snap.test.js': suite(),
      'temp/.keep': '',
      ...scenarios('a', 'b', 'c'),
    })
    expect(await ended(dir)).toMatchObject({ code: 0 })
    const crowded = projectOf({
      'dsh-snapshot.config.json': config({
        concurrency: 3,
        env: { FAKE_CROWD: '{{dir}}/running', FAKE_CROWD_OF: '3' },
      }),
      'snap.test.js': suite(),
      'temp/.keep': '',
      ...scenarios('a', 'b', 'c'),
    })
    expect(await ended(crowded)).toMatchObject({ code: 0 })
  })
})
