import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadScenario } from '../../src/scenario/load.ts'
import { refreshScenario, type RefreshOptions } from '../../src/tier/refresh.ts'
import { header, jsonl, tempTree } from '../temp.ts'
import { agent, GREEN, LOG, scenarios, STDOUT } from './example.ts'

async function refresh(
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
  options: Partial<RefreshOptions> = {},
) {
  const root = scenarios({ one: files })
  const outcome = await refreshScenario(await loadScenario(join(root, 'one')), {
    agent: agent(env),
    tempRoot: tempTree({}),
    ...options,
  })
  expect(readdirSync(root)).toEqual(['one'])
  return { ...outcome, read: (name: string) => readFileSync(join(root, 'one', name), 'utf8') }
}

const REQUEST = {
  type: 'request/header',
  seq: 8,
  time: 0,
  data: { header: { system: 'Be READY.', tools: [] } },
}
const PINNED = {
  ...GREEN,
  'session.jsonl': LOG + jsonl(REQUEST),
  'system.expected.txt': 'Be READY.\n',
  'tools.expected.json': '[]\n',
}

describe('refresh writes what the code produces now', () => {
  it('the transcript where there is none', async () => {
    const { 'stdout.expected.jsonl': _none, ...files } = GREEN
    const { verdict, written, read } = await refresh(files)
    expect(verdict.status).toBe('passed')
    expect(written).toEqual(['stdout.expected.jsonl'])
    expect(read('stdout.expected.jsonl')).toBe(STDOUT)
  })

  it('a transcript that differs, and nothing but that', async () => {
    const { verdict, written, read } = await refresh(GREEN, { FAKE_SAYS: 'STEADY' })
    expect(verdict).toMatchObject({ status: 'passed', findings: [] })
    expect(written).toEqual(['stdout.expected.jsonl'])
    expect(read('stdout.expected.jsonl')).toBe(STDOUT.replace('READY', 'STEADY'))
    expect(read('session.jsonl')).toBe(LOG)
  })

  it('logs that differ', async () => {
    const { verdict, written, read } = await refresh(GREEN, { FAKE_SPOILS: 'OTHER' })
    expect(verdict.status).toBe('passed')
    expect(written).toEqual(['session.jsonl'])
    expect(read('session.jsonl')).toBe(LOG.replaceAll('READY', 'OTHER'))
  })

  it('in the layout that the fixture has', async () => {
    const piece = (seq: number, text: string) => ({
      type: 'assistant/chunk',
      seq,
      time: 0,
      data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text } },
    })
    const row = {
      type: 'text-chunks',
      seq0: 3,
      time0: 0,
      data: { turn: 1, step: 1, index: 0, dt: [0, 0], texts: ['RE', 'AD', 'Y'] },
    }
    const [head, tail] = LOG.replace(
      /"seq":([4-7])/g,
      (_, seq) => `"seq":${Number(seq) + 2}`,
    ).split(/.*"seq":3.*\n/) as [string, string]
    const packed = head + jsonl(row) + tail
    const plain = head + jsonl(piece(3, 'RE'), piece(4, 'AD'), piece(5, 'Y')) + tail
    const log = join(tempTree({ log: plain.replace('ready?', 'ready now?') }), 'log')
    const files = { ...GREEN, 'session.jsonl': packed }
    const { verdict, written, read } = await refresh(files, { FAKE_LOG_FILE: log })
    expect(verdict.status).toBe('passed')
    expect(written).toEqual(['session.jsonl'])
    expect(read('session.jsonl')).toBe(packed.replace('ready?', 'ready now?'))
  })

  it('logs that differ, and by which requests are others', async () => {
    const { verdict, written } = await refresh(GREEN, {
      FAKE_SPOILS: 'OTHER',
      FAKE_DRIFTS: 'OTHER',
    })
    expect(verdict.status).toBe('passed')
    expect(written).toEqual(['session.jsonl'])
  })

  it('the pinned header', async () => {
    const { verdict, written, read } = await refresh(PINNED, { FAKE_SPOILS: 'OTHER' })
    expect(verdict.status).toBe('passed')
    expect(written).toEqual(['session.jsonl', 'system.expected.txt'])
    expect(read('system.expected.txt')).toBe('Be OTHER.\n')
  })

  it('fewer logs where a session without calls is gone', async () => {
    const child = jsonl(header('{{session.1}}', { parentSession: '{{session}}' }), {
      type: 'turn/start',
      seq: 0,
      time: 0,
      data: {},
    })
    const files = { ...GREEN, 'session.1.jsonl': child }
    const { verdict, written } = await refresh(files)
    expect(verdict.status).toBe('passed')
    expect(written).toEqual(['session.1.jsonl'])
  })

  it('nothing when everything is as committed', async () => {
    const { verdict, written } = await refresh(GREEN)
    expect(verdict.status).toBe('passed')
    expect(written).toEqual([])
  })

  it('a whole copy elsewhere, also of what is as committed', async () => {
    const out = tempTree({})
    const { written, read } = await refresh(GREEN, {}, { out })
    expect(written).toEqual([])
    expect(readFileSync(join(out, 'one/session.jsonl'), 'utf8')).toBe(LOG)
    const other = tempTree({})
    await refresh(GREEN, { FAKE_SAYS: 'STEADY' }, { out: other })
    expect(readFileSync(join(other, 'one/stdout.expected.jsonl'), 'utf8')).toContain('STEADY')
    expect(read('stdout.expected.jsonl')).toBe(STDOUT)
  })
})

describe('refresh writes nothing', () => {
  it.each([
    ['replay refused a call', { FAKE_REFUSES: 'no' }, 'by-hand'],
    ['a recorded call was not made', { FAKE_LEAVES: '1' }, 'by-hand'],
    ['a step failed', { FAKE_FAILS: 'turn failed' }, 'fix'],
    ['only requests are others', { FAKE_DRIFTS: 'OTHER' }, 'requests'],
  ])('where %s', async (_why, env, remedy) => {
    const { 'stdout.expected.jsonl': _none, ...files } = GREEN
    const { verdict, written } = await refresh(files, env)
    expect(verdict).toMatchObject({ status: 'failed', remedy })
    expect(written).toEqual([])
  })

  it('where requests do not follow from the new logs either', async () => {
    const { verdict, written, problem } = await refresh(GREEN, {
      FAKE_SPOILS: 'OTHER',
      FAKE_DRIFTS: 'ANOTHER ONE',
    })
    expect(problem).toBe('what was to be written does not replay')
    expect(verdict.findings.map(({ kind }) => kind)).toEqual(['request-drift'])
    expect(written).toEqual([])
  })

  it('nor a copy elsewhere', async () => {
    const out = tempTree({})
    const { verdict } = await refresh(GREEN, { FAKE_DRIFTS: 'OTHER' }, { out })
    expect(verdict.remedy).toBe('requests')
    expect(readdirSync(out)).toEqual([])
  })

  it('but says "record" where other calls are made than a model was asked for', async () => {
    const input = JSON.stringify({ ...JSON.parse(GREEN['input.json'] as string), source: 'wire' })
    const files = { ...GREEN, 'input.json': input, 'wire.json': '{"rules":[]}' }
    const { verdict } = await refresh(files, { FAKE_REFUSES: 'no' })
    expect(verdict.remedy).toBe('record')
  })

  it('where what the code produces differs from run to run', async () => {
    const marker = join(tempTree({}), 'ran')
    const { verdict, written, problem, read } = await refresh(GREEN, { FAKE_VARIES: marker })
    expect(existsSync(marker)).toBe(true)
    expect(problem).toBe('what was to be written does not replay')
    expect(verdict).toMatchObject({ status: 'failed', remedy: 'fix' })
    expect(written).toEqual([])
    expect(read('stdout.expected.jsonl')).toBe(STDOUT)
  })

  it('that holds a secret', async () => {
    const env = { MY_TOKEN: 'hunter-number-2' }
    const { verdict, written, problem } = await refresh(
      GREEN,
      { FAKE_SAYS: 'hunter-number-2' },
      { env },
    )
    expect(problem).toMatch(/^it would commit what looks like a secret: stdout\.expected\.jsonl:3 /)
    expect(verdict).toMatchObject({ status: 'failed', remedy: 'fix' })
    expect(written).toEqual([])
  })
})

describe('the folder of the run', () => {
  const left = async (
    env: Readonly<Record<string, string>>,
    more: Partial<RefreshOptions> = {},
  ) => {
    const tempRoot = tempTree({})
    const { verdict } = await refresh(GREEN, env, { tempRoot, ...more })
    return { runDir: verdict.runDir, names: readdirSync(tempRoot) }
  }

  it('is kept where nothing could be written, and named', async () => {
    const { runDir, names } = await left({ FAKE_REFUSES: 'no' })
    expect(names).toEqual([basename(String(runDir))])
    expect(readdirSync(String(runDir))).toContain('verdict.json')
    const secret = await left(
      { FAKE_SAYS: 'hunter-number-2' },
      { env: { MY_TOKEN: 'hunter-number-2' } },
    )
    expect(secret.names).toEqual([basename(String(secret.runDir))])
  })

  it('is gone once its outputs are what is committed', async () => {
    expect(await left({ FAKE_SAYS: 'STEADY' })).toEqual({ runDir: undefined, names: [] })
  })

  it('gives way to that of the replay which was to prove them', async () => {
    const { runDir, names } = await left({ FAKE_VARIES: join(tempTree({}), 'ran') })
    expect(names).toEqual([expect.stringMatching(/^dsh-proof-/)])
    expect(existsSync(String(runDir))).toBe(true)
  })

  it('is gone where the scenario cannot be written to', async () => {
    const tempRoot = tempTree({})
    const out = join(tempTree({ file: 'x' }), 'file')
    await expect(refresh(GREEN, { FAKE_SAYS: 'STEADY' }, { tempRoot, out })).rejects.toThrow(out)
    expect(readdirSync(tempRoot)).toEqual([])
  })
})
