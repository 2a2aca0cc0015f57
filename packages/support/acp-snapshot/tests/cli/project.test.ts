import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { commandProject } from '../../src/cli/project.ts'
import { tempTree } from '../temp.ts'

const CONFIG = {
  command: ['node', 'agent.js'],
  env: { A: 'b' },
  modelEnv: { key: 'LLM_KEY', baseUrl: 'LLM_URL' },
  scenariosDir: 'snaps',
  normalise: [{ pattern: 'a', token: '{{a}}' }],
  timeoutMs: 9,
  tools: { web: 'refuse' },
  concurrency: 3,
  invocation: 'npm run snap',
}

it('takes the config file of the working directory', async () => {
  const dir = tempTree({ 'dsh-snapshot.config.json': JSON.stringify(CONFIG), 'agent.js': '' })
  const { normalise, timeoutMs, tools, modelEnv } = CONFIG
  await expect(commandProject({}, { cwd: dir, env: {} })).resolves.toEqual({
    agent: { command: ['node', join(dir, 'agent.js')], env: { A: 'b' }, modelEnv },
    dir: join(dir, 'snaps'),
    workers: 3,
    invocation: expect.any(Function) as unknown,
    tier: { normalise, timeoutMs, tools },
  })
})

it('lets flags go before the file', async () => {
  const dir = tempTree({ 'sub/c.json': JSON.stringify(CONFIG) })
  const flags = { config: 'sub/c.json', agent: 'node x', dir: 'other', workers: 1 }
  await expect(commandProject(flags, { cwd: dir, env: {} })).resolves.toMatchObject({
    agent: { command: ['node', 'x'], env: { A: 'b' }, modelEnv: CONFIG.modelEnv },
    dir: join(dir, 'other'),
    workers: 1,
    tier: { timeoutMs: 9 },
  })
})

it('needs no file where the agent is named', async () => {
  const dir = tempTree({})
  await expect(commandProject({ agent: 'node x' }, { cwd: dir, env: {} })).resolves.toEqual({
    agent: { command: ['node', 'x'] },
    dir: join(dir, 'tests/snapshots'),
    workers: availableParallelism(),
    invocation: expect.any(Function) as unknown,
    tier: {},
  })
  await expect(commandProject({}, { cwd: dir, env: {} })).rejects.toMatchObject({
    code: 'BAD_USAGE',
    message: expect.stringContaining('dsh-snapshot.config.json') as string,
  })
})

it('says how the project is brought up to date: by its config, else by what was run', async () => {
  const dir = tempTree({ 'dsh-snapshot.config.json': JSON.stringify(CONFIG), 'agent.js': '' })
  const env = { npm_lifecycle_event: 'other' }
  const { invocation } = await commandProject({}, { cwd: dir, env })
  expect(invocation('refresh', ['one'])).toBe('npm run snap:refresh one')
  const flags = { agent: 'node x', dir: 'snaps' }
  const bare = await commandProject(flags, { cwd: tempTree({}), env })
  expect(bare.invocation('record', ['one'])).toBe(
    "dsh-acp-snapshot record one --dir snaps --agent 'node x'",
  )
})
