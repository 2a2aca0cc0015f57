import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { ModelEnv } from '../../src/run/types.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { recordScenario, type RecordOptions } from '../../src/tier/record.ts'
import { header, jsonl, tempTree } from '../temp.ts'
import { GREEN, INPUT, LOG, scenarios, STDOUT } from './example.ts'

const AGENT = fileURLToPath(new URL('../agents/records.mjs', import.meta.url))
const MODEL = fileURLToPath(new URL('../agents/model.mjs', import.meta.url))
const served = { request: 1, rule: 0, attempt: 1, outcome: 'completed' }
const CLEAN = { ok: true, served: [served], refused: [], unused: [] }
const input = (source: string, more: object = {}) =>
  JSON.stringify({ ...JSON.parse(INPUT), source, ...more })
/** As it is before the first recording. */
const FRESH = { 'input.json': input('wire'), 'wire.json': '{"rules":[]}' }

interface Setup {
  readonly files?: Readonly<Record<string, string>>
  readonly log?: string
  readonly report?: unknown
  readonly agentEnv?: Readonly<Record<string, string>>
  readonly modelEnv?: ModelEnv
  readonly options?: Partial<RecordOptions>
}

async function record({ files = FRESH, log = LOG, report = CLEAN, ...more }: Setup = {}) {
  const root = scenarios({ one: files })
  const tempRoot = tempTree({})
  const sees = join(tempTree({}), 'sees.json')
  const agentEnv = { FAKE_LOG: log, FAKE_SEES: sees, ...more.agentEnv }
  const outcome = await recordScenario(
    await loadScenario(join(root, 'one'), { purpose: 'record' }),
    {
      agent: {
        command: [process.execPath, AGENT],
        env: agentEnv,
        ...(more.modelEnv && { modelEnv: more.modelEnv }),
      },
      model: [process.execPath, MODEL, 'serves', JSON.stringify(report)],
      env: { PATH: process.env['PATH'] },
      tempRoot,
      ...more.options,
    },
  )
  return {
    outcome,
    root,
    read: (name: string) => readFileSync(join(root, 'one', name), 'utf8'),
    names: readdirSync(join(root, 'one')).sort(),
    left: readdirSync(tempRoot),
    seen: existsSync(sees) ? (JSON.parse(readFileSync(sees, 'utf8')) as unknown) : undefined,
  }
}

const call = (command: string) => ({
  type: 'tool/call',
  seq: 8,
  time: 0,
  data: { turn: 1, step: 1, name: 'bash', arguments: JSON.stringify({ command }) },
})

describe('a recording', () => {
  it('writes logs and transcript in normal form, and leaves nothing behind', async () => {
    const { outcome, read, names, left, root } = await record()
    expect(outcome).toMatchObject({
      scenario: 'one',
      status: 'recorded',
      written: ['session.jsonl', 'stdout.expected.jsonl'],
      problems: [],
      verdict: { status: 'passed' },
    })
    expect(read('session.jsonl')).toBe(LOG)
    expect(read('stdout.expected.jsonl')).toBe(STDOUT)
    expect(names).toEqual(['input.json', 'session.jsonl', 'stdout.expected.jsonl', 'wire.json'])
    expect([left, readdirSync(root)]).toEqual([[], ['one']])
  })

  it("writes a project's tokens, and takes its word for tools", async () => {
    const options = {
      normalise: [{ pattern: 'READ.', token: '{{word}}' }],
      tools: { bash: 'recorded' },
    } as const
    const log = LOG + jsonl(call('cat /etc/hostname'))
    const { outcome, read } = await record({ log, options })
    expect(outcome).toMatchObject({ status: 'recorded', problems: [], commands: [] })
    expect(read('session.jsonl')).toBe(log.replaceAll('READY', '{{word}}'))
    expect(read('stdout.expected.jsonl')).toBe(STDOUT.replace('READY', '{{word}}'))
  })

  it('case R14: writes nothing where the answers are the same', async () => {
    const { outcome } = await record({ files: { ...GREEN, ...FRESH } })
    expect(outcome).toMatchObject({ status: 'recorded', written: [] })
  })

  it('removes logs of sessions that there are no more', async () => {
    const child = jsonl(header('{{session.1}}', { parentSession: '{{session}}' }))
    const { outcome, names } = await record({
      files: { ...GREEN, ...FRESH, 'session.1.jsonl': child },
    })
    expect(outcome.written).toEqual(['session.1.jsonl'])
    expect(names).not.toContain('session.1.jsonl')
  })

  it('points the agent at the embedded model, whatever the host or the agent say', async () => {
    const other = { DEEPSEEK_BASE_URL: 'http://elsewhere', DEEPSEEK_API_KEY: 'hunter-number-2' }
    const { seen } = await record({ agentEnv: other, options: { env: other } })
    expect(seen).toEqual({ key: 'embedded-model', url: 'http://127.0.0.1:9' })
  })

  it('points it at the endpoint of the host for an api scenario', async () => {
    const env = { DEEPSEEK_BASE_URL: 'http://elsewhere', DEEPSEEK_API_KEY: 'hunter-number-2' }
    const files = { 'input.json': input('api') }
    const { seen, outcome } = await record({ files, options: { env, model: ['/no/such/model'] } })
    expect(seen).toEqual({ key: 'hunter-number-2', url: 'http://elsewhere' })
    expect(outcome.status).toBe('recorded')
  })

  it("finds the model by the agent's own variables, and lets no value of them through", async () => {
    const modelEnv = { key: 'OTHER_SECRET_WORD', baseUrl: 'OTHER_URL' }
    const embedded = await record({ modelEnv })
    expect(embedded.seen).toMatchObject({ otherKey: 'embedded-model', key: null, url: null })
    const env = { OTHER_URL: 'http://elsewhere', OTHER_SECRET_WORD: 'a-word-of-its-own' }
    const files = { 'input.json': input('api') }
    const { seen } = await record({ files, modelEnv, options: { env } })
    expect(seen).toMatchObject({ otherKey: 'a-word-of-its-own', otherUrl: 'http://elsewhere' })
    await expect(record({ files, modelEnv, options: { env: {} } })).rejects.toThrow(
      /set OTHER_SECRET_WORD$/,
    )
    const leak = LOG + jsonl(call('echo a-word-of-its-own'))
    const { outcome } = await record({ files, modelEnv, log: leak, options: { env } })
    expect(outcome.problems.join()).toContain('the value of $OTHER_SECRET_WORD')
  })

  it('takes all the keys of a provider that wants several, and lets none of them through', async () => {
    const modelEnv = { key: ['OTHER_ID', 'OTHER_SECRET_WORD'], baseUrl: 'OTHER_URL' }
    const env = { OTHER_ID: 'who-is-asking', OTHER_SECRET_WORD: 'a-word-of-its-own' }
    const embedded = await record({ modelEnv, options: { env } })
    const none = 'embedded-model'
    expect(embedded.seen).toMatchObject({ otherId: none, otherKey: none })
    const files = { 'input.json': input('api') }
    const { seen } = await record({ files, modelEnv, options: { env } })
    expect(seen).toMatchObject({ otherId: 'who-is-asking', otherKey: 'a-word-of-its-own' })
    await expect(record({ files, modelEnv, options: { env: { OTHER_ID: 'x' } } })).rejects.toThrow(
      /: set OTHER_SECRET_WORD$/,
    )
    await expect(record({ files, modelEnv, options: { env: {} } })).rejects.toThrow(
      /: set OTHER_ID and OTHER_SECRET_WORD$/,
    )
    for (const [name, value] of Object.entries(env)) {
      const leak = LOG + jsonl(call(`echo ${value}`))
      const { outcome } = await record({ files, modelEnv, log: leak, options: { env } })
      expect(outcome.problems.join()).toContain(`the value of $${name}`)
    }
  })

  it('pins the header where the scenario does', async () => {
    const lines = LOG.trimEnd().split('\n')
    const request = {
      type: 'request/header',
      seq: 8,
      time: 0,
      data: { header: { system: 'Be brief.', tools: [] } },
    }
    const pinned = { 'system.expected.txt': '', 'tools.expected.json': '' }
    const { outcome, read } = await record({
      files: { ...FRESH, ...pinned },
      log: `${[...lines, JSON.stringify(request)].join('\n')}\n`,
    })
    expect(outcome.status).toBe('recorded')
    expect(read('system.expected.txt')).toBe('Be brief.\n')
    expect(read('session.jsonl')).toContain('Be brief.')
  })

  it('goes to another folder where it is told to', async () => {
    const out = tempTree({})
    const { names, outcome } = await record({ options: { out } })
    expect(outcome.status).toBe('recorded')
    expect(names).toEqual(['input.json', 'wire.json'])
    expect(readFileSync(join(out, 'one/session.jsonl'), 'utf8')).toBe(LOG)
  })

  it('lists the commands that replay will run, each once', async () => {
    const log = LOG + jsonl(call('ls'), call('ls'), call('cat {{cwd}}/a'))
    const { outcome } = await record({ log })
    expect(outcome).toMatchObject({ status: 'recorded', commands: ['ls', 'cat {{cwd}}/a'] })
  })
})

describe('a recording that fails leaves what was committed', () => {
  const committed = { ...GREEN, ...FRESH }
  const failing = async (setup: Setup) => {
    const result = await record({ files: committed, ...setup })
    expect(result.outcome).toMatchObject({ status: 'failed', written: [] })
    expect(result.read('session.jsonl')).toBe(LOG)
    expect(result.read('stdout.expected.jsonl')).toBe(STDOUT)
    expect(readdirSync(result.root)).toEqual(['one'])
    return result
  }

  it('when the agent’s turn fails, and keeps the run to look into', async () => {
    const { outcome } = await failing({ agentEnv: { FAKE_KEY_REFUSED: 'turn failed: HTTP 401' } })
    expect(outcome.verdict?.findings).toEqual([
      { kind: 'fault', fault: expect.objectContaining({ kind: 'step-failed' }) as unknown },
    ])
    expect(existsSync(String(outcome.runDir))).toBe(true)
  })

  it('when the model refused a call, which is told once', async () => {
    const refused = [{ request: 1, code: 'unscripted', message: 'no rule' }]
    const { outcome } = await failing({
      report: { ...CLEAN, ok: false, refused },
      agentEnv: { FAKE_KEY_REFUSED: 'turn failed' },
    })
    expect(outcome.problems).toEqual([
      'the embedded model reports: refused request #1 (unscripted): no rule',
    ])
    expect(outcome.verdict).toBeUndefined()
    expect(existsSync(String(outcome.runDir))).toBe(true)
  })

  it('when a rule of the model was never used', async () => {
    const unused = [{ rule: 0, when: {}, used: 0, times: 1 }]
    const { outcome } = await failing({ report: { ...CLEAN, ok: false, unused } })
    expect(outcome.problems[0]).toContain('when {}, answered 0 of 1 requests: take it out')
    expect(outcome.verdict).toBeUndefined()
  })

  it('case R1: when an answer is not in the logs', async () => {
    const { outcome } = await failing({ report: { ...CLEAN, served: [served, served] } })
    expect(outcome.problems[0]).toContain('answered 2 calls, but the logs replay 1')
  })

  it('when a secret would be committed', async () => {
    const env = { MY_TOKEN: 'hunter-number-2' }
    const log = LOG.replace('ready?', 'it is hunter-number-2')
    const { outcome, left } = await failing({ log, options: { env, keepFailed: false } })
    expect(outcome.problems).toEqual([
      'it would commit what looks like a secret: session.jsonl:3 data.content[0].text: ' +
        'the value of $MY_TOKEN (hunt…, 15 characters); ' +
        'keep it out of what the model sees, or revoke it',
    ])
    expect(outcome.runDir).toBeUndefined()
    expect(left).toEqual([])
  })

  it('when replay would run what it should not', async () => {
    const log = LOG + jsonl(call('sudo ls /etc'))
    const { outcome } = await failing({ log })
    expect(outcome.problems).toEqual([
      'replay would run "sudo ls /etc" (session.jsonl): sudo takes more rights, ' +
        '/etc lies outside the working directory; ' +
        'prompt for something else, or add "sudo", "/etc" to allowCommands in input.json',
    ])
    const files = { ...committed, 'input.json': input('wire', { allowCommands: ['sudo', '/etc'] }) }
    expect((await record({ files, log })).outcome.status).toBe('recorded')
  })

  it('when it does not replay', async () => {
    const { outcome } = await failing({ agentEnv: { FAKE_SAYS: 'STEADY' } })
    expect(outcome.problems).toEqual(['what was to be written does not replay'])
    expect(outcome.verdict).toMatchObject({
      remedy: 'fix',
      findings: [{ kind: 'stdout-differs' }],
    })
    expect(existsSync(String(outcome.verdict?.runDir))).toBe(true)
  })

  it('when a log breaks off', async () => {
    const { outcome } = await failing({ log: `${LOG}{"half` })
    expect(outcome.verdict?.findings[0]).toMatchObject({ kind: 'log-unreadable' })
  })

  it('when it is interrupted', async () => {
    const { left } = await failing({ options: { signal: AbortSignal.abort() } })
    expect(left).toEqual([])
  })
})

describe('a recording that cannot begin', () => {
  it('is one of an authored scenario', async () => {
    await expect(record({ files: GREEN })).rejects.toMatchObject({
      code: 'BAD_MODE',
      message: 'scenario one is authored by hand, never recorded',
    })
  })

  it.each([[{}], [{ DEEPSEEK_API_KEY: '' }]])('is one of an api scenario with %j', async (env) => {
    const files = { 'input.json': input('api') }
    await expect(record({ files, options: { env } })).rejects.toThrow(/set DEEPSEEK_API_KEY/)
  })

  it('has a model that does not start, and leaves nothing', async () => {
    const root = scenarios({ one: FRESH })
    const tempRoot = tempTree({})
    const recording = recordScenario(await loadScenario(join(root, 'one'), { purpose: 'record' }), {
      agent: { command: [process.execPath, AGENT] },
      model: [process.execPath, MODEL, 'fails'],
      tempRoot,
    })
    await expect(recording).rejects.toMatchObject({ code: 'BAD_MODEL' })
    expect(readdirSync(tempRoot)).toEqual([])
    expect(readdirSync(root)).toEqual(['one'])
  })

  it('has a script that the embedded model of this project does not take', async () => {
    const files = { ...FRESH, 'wire.json': '{"rules":1}' }
    const root = scenarios({ one: files })
    const recording = recordScenario(await loadScenario(join(root, 'one'), { purpose: 'record' }), {
      agent: { command: [process.execPath, AGENT] },
      tempRoot: tempTree({}),
    })
    await expect(recording).rejects.toMatchObject({ code: 'BAD_MODEL' })
  })

  it('cannot write, and asks no model', async () => {
    const out = join(tempTree({ file: '' }), 'file')
    await expect(record({ options: { out, model: ['/no/model'] } })).rejects.toMatchObject({
      code: 'CANNOT_WRITE',
    })
  })
})
