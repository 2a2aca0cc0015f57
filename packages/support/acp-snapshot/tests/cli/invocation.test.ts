import { join } from 'node:path'
import { expect, it } from 'vitest'
import { invocationFor } from '../../src/cli/invocation.ts'
import { tempTree } from '../temp.ts'

const packageWith = (text: string) => join(tempTree({ 'package.json': text }), 'package.json')
const scripts = { 'snap:refresh': 'x', 'snap:record': 'x' }
const project = () => packageWith(JSON.stringify({ scripts }))
const say = (env: Readonly<Record<string, string>>, mode: 'refresh' | 'record' = 'refresh') =>
  invocationFor({ env, dir: 'tests/snapshots', agent: 'node agent.js' })(mode, ['a', 'b'])

const SELF = "dsh-acp-snapshot refresh a b --dir tests/snapshots --agent 'node agent.js'"

it('names the scripts beside the one that was run', () => {
  const env = { npm_package_json: project(), npm_config_user_agent: 'pnpm/10.34.9 npm/? node/v20' }
  for (const script of ['snap', 'snap:replay', 'snap:refresh', 'snap:record']) {
    expect(say({ ...env, npm_lifecycle_event: script })).toBe('pnpm run snap:refresh a b')
  }
  expect(say({ ...env, npm_lifecycle_event: 'snap' }, 'record')).toBe('pnpm run snap:record a b')
})

it.each([
  ['npm/10.2.0 node/v20', 'npm'],
  ['yarn/4.1.0 npm/? node/v20', 'yarn'],
  ['bun/1.1', 'bun'],
  ['other/1', 'npm'],
])('takes the runner from %s', (agent, runner) => {
  const env = { npm_lifecycle_event: 'snap', npm_package_json: project() }
  expect(say({ ...env, npm_config_user_agent: agent })).toBe(`${runner} run snap:refresh a b`)
})

it.each([
  ['no script was run', {}, undefined],
  ['the package has no such script', { npm_lifecycle_event: 'test' }, JSON.stringify({ scripts })],
  ['the package is not known', { npm_lifecycle_event: 'snap' }, undefined],
  ['it has no scripts', { npm_lifecycle_event: 'snap' }, '{}'],
  ['it cannot be read', { npm_lifecycle_event: 'snap' }, 'x'],
])('names the command itself where %s', (_why, env, text) => {
  const file = text === undefined ? {} : { npm_package_json: packageWith(text) }
  expect(say({ ...env, ...file })).toBe(SELF)
})

it('quotes for a shell', () => {
  const quoted = invocationFor({ env: {}, dir: "it's", agent: 'agent.js' })('record', [])
  expect(quoted).toBe(String.raw`dsh-acp-snapshot record --dir 'it'\''s' --agent agent.js`)
})

it('repeats no flag that was not given', () => {
  const bare = invocationFor({ env: {}, dir: undefined, agent: undefined })
  expect(bare('refresh', ['a'])).toBe('dsh-acp-snapshot refresh a')
})
