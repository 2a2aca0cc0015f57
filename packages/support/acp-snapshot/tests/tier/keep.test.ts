import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadScenario } from '../../src/scenario/load.ts'
import { addToKept } from '../../src/tier/keep.ts'
import { replayScenario } from '../../src/tier/replay.ts'
import type { Verdict } from '../../src/verdict/types.ts'
import { header, jsonl, tempTree } from '../temp.ts'
import { agent, GREEN, LOG, scenarios, STDOUT } from './example.ts'

const verdict = (runDir: string): Verdict & { readonly runDir: string } => ({
  scenario: 'one',
  status: 'failed',
  remedy: 'refresh',
  findings: [{ kind: 'stdout-missing', file: 'f' }],
  lanes: [],
  logsCompared: 0,
  durationMs: 1,
  stderrTail: '',
  notices: ['known'],
  runDir,
})
const request = {
  type: 'request/header',
  seq: 0,
  time: 0,
  data: { header: { system: 'Be.', tools: [] } },
}
const normal = {
  stdout: ['{}'],
  logs: [{ name: 'p/s', text: jsonl(header('{{session}}'), request) }],
  sessionIds: [],
  findings: [],
}

it('holds what is looked into: outputs as they would be committed, and the verdict', async () => {
  const scenario = await loadScenario(join(scenarios({ one: GREEN }), 'one'))
  const { verdict: red } = await replayScenario(scenario, {
    agent: agent({ FAKE_SAYS: 'STEADY' }),
    tempRoot: tempTree({}),
    invocation: (mode, names) => `go ${mode} ${names.join()}`,
  })
  const runDir = String(red.runDir)
  const read = (name: string) => readFileSync(join(runDir, name), 'utf8')
  expect(readdirSync(runDir).sort()).toEqual([
    'cwd',
    'home',
    'normal',
    'report.jsonl',
    'sessions',
    'stderr.log',
    'stdout.jsonl',
    'verdict.json',
  ])
  expect(read('normal/session.jsonl')).toBe(LOG)
  expect(read('normal/stdout.expected.jsonl')).toBe(STDOUT.replace('READY', 'STEADY'))
  expect(readdirSync(join(runDir, 'normal'))).toHaveLength(2)
  expect(read('verdict.json')).toMatch(/\}\n$/)
  expect(JSON.parse(read('verdict.json'))).toMatchObject({
    format: 1,
    runDir,
    cause: { kind: 'stdout-differs' },
    accept: { command: 'go refresh one' },
  })
})

it('holds the request header where the scenario pins it', async () => {
  const names = async (pinned: boolean, logs = normal.logs) => {
    const runDir = tempTree({})
    expect(await addToKept(verdict(runDir), { ...normal, logs }, pinned)).toEqual(verdict(runDir))
    return readdirSync(join(runDir, 'normal'))
  }
  const both = ['session.jsonl', 'stdout.expected.jsonl']
  expect(await names(true)).toEqual([...both, 'system.expected.txt', 'tools.expected.json'])
  expect(await names(false)).toEqual(both)
  expect(await names(true, [])).toEqual(both)
})

it('does not stand between people and the verdict where it cannot be written', async () => {
  const runDir = join(tempTree({ file: 'x' }), 'file')
  const told = await addToKept(verdict(runDir), normal, false)
  expect(told).toEqual({
    ...verdict(runDir),
    notices: ['known', expect.stringMatching(/lacks what helps to look into it: ENOTDIR/)],
  })
})
