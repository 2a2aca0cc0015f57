import { once } from 'node:events'
import { cp, mkdir, readdir, readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  bash,
  cli,
  COMMITTED,
  input,
  PROMPT,
  record,
  scenario,
  sorted,
  tempDir,
  tree,
  wire,
  wireScenarios,
} from './recording.ts'

describe('case R14: recording again with the same answers changes no byte', () => {
  it.each([
    ['without a key', 't', {}],
    [
      'with a stray key',
      'a/much/longer/temp root',
      { DEEPSEEK_API_KEY: 'a-stray-key-of-the-host' },
    ],
  ])(
    'from another folder, under another temp root, %s',
    {
      timeout: 300_000,
    },
    async (_name, place, key) => {
      const names = await wireScenarios()
      expect(names.length).toBeGreaterThanOrEqual(16)
      const committed = await tree(COMMITTED)
      const root = join(tempDir(), place)
      await mkdir(root, { recursive: true })
      const out = join(tempDir(), 'out')
      const env: Record<string, string> = { TMPDIR: root, CI: 'true', ...key }
      const args = ['record', ...names, '--dir', COMMITTED, '--out', out]
      const { code, stdout } = await cli(args, env, root)
      expect(stdout).toContain(`${names.length} passed, 0 failed, 0 skipped`)
      expect(code).toBe(0)
      const recorded = await tree(out)
      const expected = [...committed].filter(([path]) => names.includes(path.split('/')[0] ?? ''))
      expect([...recorded]).toEqual(expected)
      expect(await readdir(root)).toEqual([])
    },
  )

  it('and in place it writes nothing', async () => {
    const dir = join(tempDir(), 'scenarios', 'fs-edit')
    await cp(join(COMMITTED, 'fs-edit'), dir, { recursive: true })
    await expect(record(dir)).resolves.toMatchObject({ status: 'recorded', written: [] })
    expect(await readdir(join(tempDir(), 'scenarios'))).toEqual(['fs-edit'])
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
    const { status, problems, verdict } = await record(dir)
    expect(status).toBe('failed')
    expect(problems[0]).toMatch(/^the embedded model reports: refused request #2 \(unscripted\)/)
    expect(problems).toHaveLength(1)
    // Asked for three times, told once: the failed turn says nothing that the refusal does not.
    expect(problems[0]?.match(/refused request/g)).toHaveLength(1)
    expect(problems[0]).toContain(`add a rule for this request to ${join(dir, 'wire.json')}`)
    expect(verdict).toBeUndefined()
    expect(await readdir(dir)).toEqual(['input.json', 'wire.json'])
  })
})

describe('case R11: statuses and headers reach the agent as they were sent', () => {
  const prompts = (...ops: string[]) => [
    { op: 'initialize' },
    { op: 'newSession' },
    ...ops.map((op) => ({ op, text: PROMPT })),
  ]

  const limited = (seconds: number) => ({
    status: 429,
    headers: { 'retry-after': String(seconds) },
    body: { error: { message: 'slow down' } },
  })
  const fine = { text: ['Fine', '.'] }
  const failure = (retryAfterMs: number) =>
    '"type":"llm/failure","seq":4,"time":0,"data":{"turn":1,"step":1,"kind":"error",' +
    '"message":"the provider answered HTTP 429: slow down","code":"RATE_LIMIT","status":429,' +
    `"retryAfterMs":${retryAfterMs}}`

  it('a 429 stays a 429; its Retry-After is respected and stored', async () => {
    const rules = [
      { when: { attempt: 1 }, answer: limited(0) },
      { when: { attempt: 2 }, answer: fine },
    ]
    const dir = await scenario({ 'input.json': input(), 'wire.json': JSON.stringify({ rules }) })
    await expect(record(dir)).resolves.toMatchObject({
      status: 'recorded',
      problems: [],
      verdict: { lanes: [{ served: 2, left: 0 }] },
    })
    expect(await readdir(dir)).not.toContain('replay.override.json')
    const log = await readFile(join(dir, 'session.jsonl'), 'utf8')
    expect(log).toContain(failure(0))
    expect(log).toContain('"llm/retry","seq":5,"time":0,"data":{"turn":1,"step":1,"retry":1')
    expect(log).toContain('"reason":{"kind":"completed"}')
  })

  it('one that asks for too long a wait ends the turn, and says so', async () => {
    const rules = [
      { when: { turn: 1 }, answer: limited(7_000) },
      { when: { turn: 2 }, answer: fine },
    ]
    const dir = await scenario({
      'input.json': input({ steps: prompts('promptExpectError', 'prompt') }),
      'wire.json': JSON.stringify({ rules }),
    })
    await expect(record(dir)).resolves.toMatchObject({ status: 'recorded', problems: [] })
    const log = await readFile(join(dir, 'session.jsonl'), 'utf8')
    expect(log).toContain(failure(7_000_000))
    expect(log).not.toContain('llm/retry')
    expect(log).toContain(
      '"reason":{"kind":"error","step":1,"message":"the provider answered HTTP 429: slow down ' +
        '(not tried again, since it asks to wait 7000000 ms; retry.maxDelayMs allows 30000 ms)",' +
        '"code":"RATE_LIMIT"}',
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
  const scenarios = () => join(tempDir(), 'scenarios')
  const apiRun = (url: string) =>
    cli(['record', '--dir', scenarios()], {
      DEEPSEEK_API_KEY: KEY,
      DEEPSEEK_BASE_URL: url,
      TMPDIR: tempDir(),
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
      expect([...(await tree(dir))]).toEqual(sorted(api))
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
    expect([...(await tree(dir))]).toEqual(sorted(api))
  })

  it('an api scenario without a key is skipped, never answered by the embedded model', async () => {
    await scenario(api)
    const { code, stdout } = await cli(['record', '--dir', scenarios()])
    expect(stdout).toContain('- one: recorded from the real endpoint only: set DEEPSEEK_API_KEY')
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
