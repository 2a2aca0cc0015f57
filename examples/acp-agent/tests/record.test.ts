import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, watch, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { loadScenario, recordScenario } from 'dsh-acp-snapshot'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const AGENT = here('../bin.js')
const CLI = here('../../../packages/support/acp-snapshot/bin.js')
const COMMITTED = here('snapshots')
const AGENT_FLAG = JSON.stringify([process.execPath, AGENT])
const run = promisify(execFile)

let temp: string
beforeEach(async () => {
  temp = await mkdtemp(join(tmpdir(), 'dsh-record-'))
})
// What a killed recording had started ends by itself, and may still be about to.
afterEach(() => rm(temp, { recursive: true, force: true, maxRetries: 10 }))

/** Every file below a folder, by path. */
async function tree(dir: string): Promise<Map<string, string>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => !entry.isDirectory())
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort()
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')))
  return new Map(paths.map((path, index) => [relative(dir, path), texts[index] as string]))
}

async function wireScenarios(): Promise<string[]> {
  const names = (await readdir(COMMITTED)).sort()
  const sources = await Promise.all(
    names.map(async (name) => (await loadScenario(join(COMMITTED, name))).input.source),
  )
  return names.filter((_, index) => sources[index] === 'wire')
}

/** Runs the command line, with nothing in the environment but what is given. */
async function cli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = temp,
) {
  try {
    const all = { PATH: process.env['PATH'], ...env }
    const flags = [...args, '--agent', AGENT_FLAG]
    const { stdout } = await run(process.execPath, [CLI, ...flags], { cwd, env: all })
    return { code: 0, stdout }
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string }
    return { code, stdout }
  }
}

/** A folder with one scenario, made from the given texts. */
async function scenario(files: Readonly<Record<string, string>>, name = 'one'): Promise<string> {
  const dir = join(temp, 'scenarios', name)
  await mkdir(dir, { recursive: true })
  for (const [file, text] of Object.entries(files)) await writeFile(join(dir, file), text)
  return dir
}

const PROMPT = 'Run it.'
const input = (more: object = {}) =>
  JSON.stringify({
    source: 'wire',
    steps: [{ op: 'initialize' }, { op: 'newSession' }, { op: 'prompt', text: PROMPT }],
    ...more,
  })
const wire = (...answers: object[]) =>
  JSON.stringify({
    rules: answers.map((answer, index) => ({ when: { step: index + 1 }, answer })),
  })
const bash = (command: string) => ({
  toolCalls: [{ name: 'bash', arguments: { command, description: 'Do it' } }],
})
const record = async (dir: string, env: Readonly<Record<string, string>> = {}) => {
  const agent = { command: [process.execPath, AGENT] } as const
  const all = { PATH: process.env['PATH'], ...env }
  const options = { agent, env: all, keepFailed: false }
  return recordScenario(await loadScenario(dir, { purpose: 'record' }), options)
}

describe('case R14: recording again with the same answers changes no byte', () => {
  it('from other folders, under other temp roots, with and without a key', {
    timeout: 300_000,
  }, async () => {
    const names = await wireScenarios()
    expect(names.length).toBeGreaterThanOrEqual(16)
    const committed = await tree(COMMITTED)
    const roots = [join(temp, 't'), join(temp, 'a', 'much', 'longer', 'temp root')]
    for (const [index, root] of roots.entries()) {
      await mkdir(root, { recursive: true })
      const out = join(temp, `out-${index}`)
      const env: Record<string, string> = { TMPDIR: root, CI: 'true' }
      if (index > 0) env['DEEPSEEK_API_KEY'] = 'a-stray-key-of-the-host'
      const args = ['record', ...names, '--dir', COMMITTED, '--out', out]
      const { code, stdout } = await cli(args, env, root)
      expect(stdout).toContain(`${names.length} passed, 0 failed, 0 skipped`)
      expect(code).toBe(0)
      const recorded = await tree(out)
      const expected = [...committed].filter(([path]) => names.includes(path.split('/')[0] ?? ''))
      expect([...recorded]).toEqual(expected)
      expect(await readdir(root)).toEqual([])
    }
  })

  it('and in place it writes nothing', async () => {
    const dir = join(temp, 'scenarios', 'fs-edit')
    await cp(join(COMMITTED, 'fs-edit'), dir, { recursive: true })
    await expect(record(dir)).resolves.toMatchObject({ status: 'recorded', written: [] })
    expect(await readdir(join(temp, 'scenarios'))).toEqual(['fs-edit'])
  })
})

describe('case R1: every step of every turn is recorded', () => {
  it('holds each of the answers, and replays them', async () => {
    const dir = await scenario({
      'input.json': input(),
      'wire.json': wire(bash('echo one'), bash('echo two'), bash('echo three'), { text: 'Done.' }),
    })
    const { status, verdict } = await record(dir)
    expect(status).toBe('recorded')
    expect(verdict?.lanes).toMatchObject([{ served: 4, left: 0 }])
    const log = await readFile(join(dir, 'session.jsonl'), 'utf8')
    expect(log.match(/"type":"tool\/result"/g)).toHaveLength(3)
  })

  it('fails where the agent asks for more than is scripted, and writes nothing', async () => {
    const dir = await scenario({ 'input.json': input(), 'wire.json': wire(bash('echo one')) })
    const { status, problems } = await record(dir)
    expect(status).toBe('failed')
    expect(problems[0]).toMatch(/^the embedded model reports: refused request #2 \(unscripted\)/)
    expect(await readdir(dir)).toEqual(['input.json', 'wire.json'])
  })
})

describe('case R11: statuses and headers reach the agent as they were sent', () => {
  const prompts = (...ops: string[]) => [
    { op: 'initialize' },
    { op: 'newSession' },
    ...ops.map((op) => ({ op, text: PROMPT })),
  ]

  it('a 429 stays a 429, and is recorded as one', async () => {
    const limited = {
      status: 429,
      headers: { 'retry-after': '7' },
      body: { error: { message: 'slow down' } },
    }
    const rules = [
      { when: { turn: 1 }, answer: limited },
      { when: { turn: 2 }, answer: { text: ['Fine', '.'] } },
    ]
    const sidecar = [
      {
        kind: 'throw',
        chunks: [],
        message: 'the provider answered HTTP 429: slow down',
        code: 'RATE_LIMIT',
        status: 429,
      },
      {
        kind: 'chunks',
        chunks: [
          { type: 'block-start', index: 0, blockType: 'text' },
          { type: 'text-delta', index: 0, text: 'Fine' },
          { type: 'text-delta', index: 0, text: '.' },
          { type: 'block-end', index: 0, block: { type: 'text', text: 'Fine.' } },
          { type: 'finish', reason: { kind: 'stop' } },
        ],
      },
    ]
    const files = {
      'input.json': input({ steps: prompts('promptExpectError', 'prompt') }),
      'wire.json': JSON.stringify({ rules }),
    }
    // Without a sidecar the failed call is in no log, so its answer would be lost.
    const without = await record(await scenario(files, 'without'))
    expect(without.problems[0]).toMatch(/answered 2 calls, but the logs replay 1|does not replay/)

    const dir = await scenario({ ...files, 'replay.override.json': JSON.stringify(sidecar) })
    await expect(record(dir)).resolves.toMatchObject({ status: 'recorded', problems: [] })
    const log = await readFile(join(dir, 'session.jsonl'), 'utf8')
    expect(log).toContain(
      '"reason":{"kind":"error","step":1,"message":"the provider answered HTTP 429: slow down","code":"RATE_LIMIT"}',
    )
  })
})

describe('a recording that fails touches nothing', () => {
  const KEY = `sk-${'a1B2'.repeat(8)}`
  /** An endpoint of the provider's kind, for the time of one test. */
  async function endpoint<T>(
    answer: RequestListener,
    use: (url: string) => Promise<T>,
  ): Promise<T> {
    const server = createServer(answer)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    } finally {
      server.close()
      server.closeAllConnections()
    }
  }
  const api = { 'input.json': input({ source: 'api' }), 'session.jsonl': 'committed\n' }
  const scenarios = () => join(temp, 'scenarios')
  const apiRun = (url: string) =>
    cli(['record', '--dir', scenarios()], {
      DEEPSEEK_API_KEY: KEY,
      DEEPSEEK_BASE_URL: url,
      TMPDIR: temp,
    })

  it('when the key is wrong, which is said once, however many scenarios there are', async () => {
    const before = [await scenario(api, 'a'), await scenario(api, 'b')]
    let asked = 0
    const { code, stdout } = await endpoint((_request, response) => {
      asked += 1
      response.writeHead(401, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: `no such key: ${KEY}` } }))
    }, apiRun)
    expect(code).toBe(1)
    expect(asked).toBe(2)
    expect(stdout.match(/HTTP\s+401/g)).toHaveLength(1)
    expect(stdout).not.toContain(KEY)
    expect(stdout).toContain('✗ b: the same fault as a')
    for (const dir of before) {
      expect([...(await tree(dir))]).toEqual(Object.entries(api).sort())
    }
    expect((await readdir(scenarios())).sort()).toEqual(['a', 'b'])
  })

  it('when nobody listens at the endpoint', async () => {
    const dir = await scenario(api)
    const closed = await endpoint(
      () => {},
      (url) => Promise.resolve(url),
    )
    const { code, stdout } = await apiRun(closed)
    expect(code).toBe(1)
    expect(stdout).toMatch(/could not reach\s+the\s+provider\s+\(ECONNREFUSED\)/)
    expect([...(await tree(dir))]).toEqual(Object.entries(api).sort())
  })

  it('an api scenario without a key is skipped, never answered by the embedded model', async () => {
    await scenario(api)
    const { code, stdout } = await cli(['record', '--dir', scenarios()])
    expect(stdout).toContain('- one: recorded from the real endpoint only, and no API key is set')
    expect([code, stdout.includes('0 passed, 0 failed, 1 skipped')]).toEqual([0, true])
  })

  it('when the key shows in what a tool printed, cut over chunks or not', async () => {
    const dir = await scenario({
      'input.json': input(),
      'wire.json': wire(
        { ...bash(`printf ${KEY.slice(0, 9)}; printf ${KEY.slice(9)}`) },
        { text: 'Ok' },
      ),
    })
    const { problems } = await record(dir)
    expect(problems[0]).toMatch(/a secret: session\.jsonl:\d+ data\.content\[0\]\.text: an API key/)
    expect(problems[0]).not.toContain(KEY)
    const cut = await scenario(
      { 'input.json': input(), 'wire.json': wire({ text: `It is ${KEY}`, cut: 3 }) },
      'cut',
    )
    const found = await record(cut)
    expect(found.problems[0]).toMatch(/session\.jsonl:\d+ data\.chunk\.text: an API key/)
    expect(await readdir(dir)).toEqual(['input.json', 'wire.json'])
  })

  it('when replay would run a command that it should not', async () => {
    const files = {
      'input.json': input(),
      'wire.json': wire(bash('cat /etc/hostname'), { text: 'Ok' }),
    }
    const { problems } = await record(await scenario(files))
    expect(problems).toEqual([expect.stringContaining('add "/etc/hostname" to allowCommands')])
  })
})

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
    const env = { PATH: process.env['PATH'], TMPDIR: temp }
    const child = spawn(process.execPath, args, { env, stdio: 'ignore' })
    return { child, ended: once(child, 'exit') }
  }

  it('leaves the old bytes, whenever that is, and the next one takes over', async () => {
    const dir = await scenario(files)
    const root = join(dir, '..')
    const moments = [
      () => appears(root, '.one.lock'),
      async (before: readonly string[]) => {
        const staged = await appears(root, '.one.staged-', before)
        await appears(join(root, staged), 'session.jsonl')
      },
    ]
    for (const moment of moments) {
      const before = await readdir(root)
      const { child, ended } = start(dir)
      await moment(before)
      child.kill('SIGKILL')
      await ended
      expect([...(await tree(dir))]).toEqual(Object.entries(files).sort())
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
    await appears(join(dir, '..'), '.one.lock')
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
      env: { PATH: process.env['PATH'], FROM: join(temp, 'scenarios'), TMPDIR: temp },
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

/** Resolves with the name of an entry that begins so, once the folder has one. */
async function appears(
  dir: string,
  prefix: string,
  before: readonly string[] = [],
): Promise<string> {
  const stop = new AbortController()
  try {
    const events = watch(dir, { signal: stop.signal })
    const next = events[Symbol.asyncIterator]()
    // Watching begins with the first request, so what is there already is looked for after it.
    for (let event = next.next(); ; event = next.next()) {
      event.catch(() => {})
      const found = (await readdir(dir)).find(
        (name) => name.startsWith(prefix) && !before.includes(name),
      )
      if (found !== undefined) return found
      await event
    }
  } finally {
    stop.abort()
  }
}
