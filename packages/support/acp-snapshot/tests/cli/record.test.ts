import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { oneScenario, type OneRequest } from '../../src/cli/one-scenario.ts'
import { tempTree } from '../temp.ts'
import { scriptInvocation } from '../../src/verdict/invocation.ts'
import { agent, GREEN, INPUT, LOG, scenarios } from '../tier/example.ts'
import { printed } from './printed.ts'

const AGENT = fileURLToPath(new URL('../agents/records.mjs', import.meta.url))
/** Recorded from the endpoint, which this agent never calls. */
const API = { 'input.json': JSON.stringify({ ...JSON.parse(INPUT), source: 'api' }) }
const KEY = { DEEPSEEK_API_KEY: 'hunter-number-2', PATH: process.env['PATH'] }
const COMMAND = {
  type: 'tool/call',
  seq: 8,
  time: 0,
  data: { turn: 1, step: 1, name: 'bash', arguments: '{"command":"ls"}' },
}

async function one(
  files: Readonly<Record<string, string>>,
  request: Partial<OneRequest> = {},
  env: Readonly<Record<string, string>> = {},
) {
  const root = scenarios({ one: files })
  const agent = { command: [process.execPath, AGENT], env: { FAKE_LOG: LOG, ...env } } as const
  const result = await oneScenario(
    {
      mode: 'record',
      json: false,
      out: undefined,
      outPlace: 'none',
      env: KEY,
      invocation: scriptInvocation('go'),
      colour: false,
      ...request,
      tier: { agent, tempRoot: tempTree({}), ...request.tier },
    },
    join(root, 'one'),
  )
  return { ...result, root }
}

describe('record says', () => {
  it('what it wrote, and what replay will run', async () => {
    const log = `${LOG}${JSON.stringify(COMMAND)}\n`
    const { status, lines } = await one(API, {}, { FAKE_LOG: log })
    expect(status).toBe('passed')
    expect(lines[0]).toMatch(/^✓ one: recorded, \d+ ms, replays$/)
    expect(lines.slice(1)).toEqual([
      '  replay will run "ls"',
      '  wrote session.jsonl, stdout.expected.jsonl',
    ])
  })

  it('that nothing changed', async () => {
    const { lines } = await one({ ...GREEN, ...API })
    expect(lines).toEqual([expect.stringMatching(/^✓ one: as committed, \d+ ms, replays$/)])
  })

  it('why it failed, and where to look', async () => {
    const { status, lines } = await one(API, {}, { FAKE_KEY_REFUSED: 'turn failed: HTTP 401' })
    expect(status).toBe('failed')
    expect(lines[0]).toMatch(/^✗ one: fault, step-failed [^]*HTTP 401[^]*\n {2}run /)
    expect(lines).toHaveLength(1)
  })

  it('what keeps a recording from being written, with its folder', async () => {
    const log = LOG.replace('ready?', 'hunter-number-2')
    const { status, lines } = await one(API, {}, { FAKE_LOG: log })
    expect(status).toBe('failed')
    expect(lines[0]).toContain('✗ one: it would commit what looks like a secret')
    expect(lines[1]).toMatch(/^ {2}recording {2}\//)
  })

  it('both, where the proof is red', async () => {
    const { lines } = await one(API, {}, { FAKE_SAYS: 'STEADY' })
    expect(lines[0]).toBe('✗ one: what was to be written does not replay')
    expect(lines[1]).toMatch(/^✗ one: stdout-differs/)
    expect(lines[2]).toMatch(/^ {2}recording {2}\//)
  })

  it('that it skips, and why', async () => {
    expect(await one(GREEN)).toMatchObject({
      status: 'skipped',
      lines: [expect.stringMatching(/^- one: authored by hand, never recorded/)],
    })
    expect(await one(API, { env: {} })).toMatchObject({
      status: 'skipped',
      lines: ['- one: recorded from the real endpoint only: set DEEPSEEK_API_KEY'],
    })
  })

  it('that CI writes only outside', async () => {
    const env = { ...KEY, CI: 'true' }
    expect(await one(API, { env })).toMatchObject({
      status: 'failed',
      lines: [expect.stringMatching(/^✗ one: CI never writes into a checkout/)],
    })
    const out = tempTree({})
    expect(await one(API, { env, out, outPlace: 'outside' })).toMatchObject({ status: 'passed' })
    expect(readFileSync(join(out, 'one/session.jsonl'), 'utf8')).toBe(LOG)
  })

  it('what is wrong with a scenario', async () => {
    const { status, lines } = await one({ 'input.json': '{' })
    expect(status).toBe('failed')
    expect(lines[0]).toMatch(/^✗ one: one\/input\.json:1:2: the text ends too early/)
  })
})

describe('the same as JSON', () => {
  const parsed = async (...args: Parameters<typeof one>) => {
    const [files, request, env] = args
    const { lines } = await one(files, { json: true, ...request }, env)
    expect(lines).toHaveLength(1)
    return printed(lines[0])
  }

  it.each([
    ['recorded', API, {}, { status: 'recorded', written: expect.anything() as unknown }],
    ['skipped', GREEN, {}, { status: 'skipped', reason: expect.any(String) as unknown }],
    ['broken', { 'input.json': '{' }, {}, { status: 'failed', problems: [expect.any(String)] }],
    ['replayed', GREEN, { mode: 'replay' }, { status: 'passed', findings: [] }],
  ] as const)('%s', async (_what, files, request, expected) => {
    expect(await parsed(files, request)).toMatchObject({
      format: 1,
      scenario: 'one',
      ...expected,
    })
  })

  it('held back, with no verdict to tell', async () => {
    const log = LOG.replace('ready?', 'hunter-number-2')
    const told = await parsed(API, {}, { FAKE_LOG: log })
    expect(told).toMatchObject({ problems: [expect.stringContaining('secret')] })
    expect(told).not.toHaveProperty('verdict')
  })

  it('refreshed, and held back', async () => {
    const mode = 'refresh' as const
    const { 'stdout.expected.jsonl': _none, ...files } = GREEN
    const tier = (env: Record<string, string>) => ({ agent: agent(env), tempRoot: tempTree({}) })
    expect(await parsed(files, { mode, tier: tier({}) })).toMatchObject({
      written: ['stdout.expected.jsonl'],
    })
    const says = { FAKE_SAYS: 'hunter-number-2' }
    expect(await parsed(files, { mode, tier: tier(says) })).toMatchObject({
      status: 'failed',
      problem: expect.stringContaining('secret') as string,
    })
  })
})

it('says why a refresh was held back, and no more where no verdict says more', async () => {
  const tier = (env: Record<string, string>) => ({ agent: agent(env), tempRoot: tempTree({}) })
  const secret = { FAKE_SAYS: 'hunter-number-2' }
  const held = await one(GREEN, { mode: 'refresh', tier: tier(secret) })
  expect(held.lines[0]).toMatch(/^✗ one: it would commit what looks like a secret/)
  const varies = { FAKE_VARIES: join(tempTree({}), 'ran') }
  const unstable = await one(GREEN, { mode: 'refresh', tier: tier(varies) })
  expect(unstable.lines[0]).toBe('✗ one: what was to be written does not replay')
  expect(unstable.lines[1]).toMatch(/^✗ one: stdout-differs/)
})
