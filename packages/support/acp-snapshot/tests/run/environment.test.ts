import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { agentEnvironment, type EnvironmentInput } from '../../src/run/environment.ts'
import { open, run, scenario, useTempDir } from './harness.ts'

const tempRoot = useTempDir()

const input: EnvironmentInput = {
  scenario: scenario([]),
  mode: 'replay',
  folder: {
    dir: '/run',
    cwd: '/run/cwd',
    home: '/run/home',
    sessionsRoot: '/run/sessions',
    reportFile: '/run/report.jsonl',
    stdoutFile: '/run/stdout.jsonl',
    stderrFile: '/run/stderr.log',
  },
  runId: 'run-1',
  roots: 0,
  agent: { command: ['agent'] },
  hostEnv: { PATH: '/bin', HOME: '/home/me', DEEPSEEK_API_KEY: 'key', DEEPSEEK_BASE_URL: 'url' },
}

const always = {
  PATH: '/bin',
  HOME: '/run/home',
  LC_ALL: 'C.UTF-8',
  TZ: 'UTC',
  DSH_SNAPSHOT_FILE: '/scenarios/example/session.jsonl',
  DSH_SNAPSHOT_SESSIONS_ROOT: '/run/sessions',
  DSH_SNAPSHOT_RUN: 'run-1',
}

describe('agentEnvironment', () => {
  test('case R6: replay gets no key, were there one', () => {
    expect(agentEnvironment(input)).toEqual({
      ...always,
      DSH_SNAPSHOT: 'replay',
      DSH_SNAPSHOT_REPORT: '/run/report.jsonl',
    })
  })

  test('replay gets all that the scenario has', () => {
    const whole = scenario(
      [],
      { tools: { bash: 'recorded' }, requests: 'strict' },
      {
        logFiles: ['/a/0', '/a/1', '/a/2'],
        overrideFile: '/a/override',
        childOverrideFiles: { 2: '/a/override.2' },
      },
    )
    expect(agentEnvironment({ ...input, scenario: whole })).toMatchObject({
      DSH_SNAPSHOT_FILE: '/a/0',
      DSH_SNAPSHOT_OVERRIDE: '/a/override',
      DSH_SNAPSHOT_CHILD_FILES: ['/a/1', '/a/2'].join(path.delimiter),
      DSH_SNAPSHOT_CHILD_OVERRIDES: '{"/a/2":"/a/override.2"}',
      DSH_SNAPSHOT_TOOLS: '{"bash":"recorded"}',
      DSH_SNAPSHOT_REQUESTS: 'strict',
    })
  })

  test('replay gets the rules of the project where requests are strict, and only there', () => {
    const rules = [
      { pattern: 'build-\\d+', token: '{{build}}' },
      { pattern: /v\d/i, token: '{{version}}' },
    ]
    const named = (requests: 'strict' | 'off', given: typeof rules) =>
      agentEnvironment({ ...input, rules: given, scenario: scenario([], { requests }) })[
        'DSH_SNAPSHOT_NORMALISE'
      ]
    expect(JSON.parse(named('strict', rules) ?? '')).toEqual([
      { pattern: 'build-\\d+', token: '{{build}}' },
      { pattern: 'v\\d', flags: 'i', token: '{{version}}' },
    ])
    expect(named('strict', [])).toBeUndefined()
    expect(named('off', rules)).toBeUndefined()
  })

  test('record gets the key and the base URL, and a place for the log', () => {
    expect(
      agentEnvironment({ ...input, mode: 'record', scenario: scenario([], {}, { logFiles: [] }) }),
    ).toEqual({
      ...always,
      DSH_SNAPSHOT: 'record',
      DEEPSEEK_API_KEY: 'key',
      DEEPSEEK_BASE_URL: 'url',
    })
  })

  test('a model is found by the variables that the agent names, and by no others', () => {
    const modelEnv = { key: 'OPENAI_API_KEY', baseUrl: 'OPENAI_BASE_URL' }
    const hostEnv = { ...input.hostEnv, OPENAI_API_KEY: 'other', OPENAI_BASE_URL: 'there' }
    const other = { ...input, hostEnv, agent: { ...input.agent, modelEnv } }
    expect(agentEnvironment({ ...other, mode: 'record' })).toEqual({
      ...always,
      DSH_SNAPSHOT: 'record',
      OPENAI_API_KEY: 'other',
      OPENAI_BASE_URL: 'there',
    })
    expect(agentEnvironment(other)).toEqual(agentEnvironment(input))
  })

  test('what the host does not have, or has empty, is left out', () => {
    const environment = agentEnvironment({
      ...input,
      mode: 'record',
      hostEnv: { DEEPSEEK_API_KEY: '' },
    })
    expect(Object.keys(environment)).not.toContain('PATH')
    expect(Object.keys(environment)).not.toContain('DEEPSEEK_API_KEY')
    expect(Object.keys(environment)).not.toContain('DEEPSEEK_BASE_URL')
  })

  test('a process that goes on with a run is told how many roots there are', () => {
    expect(agentEnvironment({ ...input, roots: 2 })).toEqual({
      ...agentEnvironment(input),
      DSH_SNAPSHOT_FIRST_ROOT: '2',
    })
  })

  test('what the agent names comes last', () => {
    const agent = { command: ['agent'], env: { TZ: 'Asia/Tokyo', EXTRA: '1' } } as const
    expect(agentEnvironment({ ...input, agent })).toMatchObject({ TZ: 'Asia/Tokyo', EXTRA: '1' })
  })
})

test('case R6: nothing of this process reaches the agent', async () => {
  const { folder, faults } = await run({
    agent: ['environment.mjs'],
    scenario: scenario(open),
    tempRoot: tempRoot(),
    dependencies: { ids: { uuid: () => 'the-run' } },
  })
  expect(faults).toEqual([])
  const seen = JSON.parse(await readFile(path.join(folder.cwd, 'environment.json'), 'utf8'))
  expect(Object.keys(seen.env).sort()).toEqual([
    'DSH_SNAPSHOT',
    'DSH_SNAPSHOT_FILE',
    'DSH_SNAPSHOT_REPORT',
    'DSH_SNAPSHOT_RUN',
    'DSH_SNAPSHOT_SESSIONS_ROOT',
    'HOME',
    'LC_ALL',
    'PATH',
    'TZ',
  ])
  expect(seen.env.HOME).toBe(folder.home)
  expect(seen.env.DSH_SNAPSHOT_RUN).toBe('the-run')
  expect(seen.env.PATH).toBe(process.env['PATH'])
  expect(seen.cwd).toBe(folder.cwd)
})

test('after a restart the numbers of roots go on', async () => {
  const { folder, faults } = await run({
    agent: ['environment.mjs'],
    scenario: scenario([...open, { op: 'newSession' }, { op: 'restart' }, { op: 'initialize' }]),
    tempRoot: tempRoot(),
  })
  expect(faults).toEqual([])
  const seen = JSON.parse(await readFile(path.join(folder.cwd, 'environment.json'), 'utf8'))
  expect(seen.env.DSH_SNAPSHOT_FIRST_ROOT).toBe('2')
})
