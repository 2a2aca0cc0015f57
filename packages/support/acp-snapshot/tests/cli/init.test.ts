import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadWireScript } from 'dsh-llm-wire'
import { expect, it } from 'vitest'
import { initCommand } from '../../src/cli/init.ts'
import { loadConfig } from '../../src/project/load.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { tempTree } from '../temp.ts'

async function init(cwd: string, agent?: string) {
  const lines: string[] = []
  const signal = new AbortController().signal
  const print = (line: string) => lines.push(line)
  const code = await initCommand({ env: {}, cwd, signal, colour: false, print }, agent)
  return { code, lines }
}

it('writes what a project begins with, ready to be recorded', async () => {
  const cwd = tempTree({ 'agent.js': '' })
  const { code, lines } = await init(cwd, 'node agent.js')
  expect(code).toBe(0)
  expect(lines).toEqual([
    'wrote dsh-snapshot.config.json',
    'wrote tests/snapshot.test.js',
    'wrote tests/snapshots/hello/input.json',
    'wrote tests/snapshots/hello/wire.json',
    'wrote tests/snapshots/hello/system.expected.txt',
    'wrote tests/snapshots/hello/tools.expected.json',
    '',
    'record it:  npx dsh-acp-snapshot record hello',
    'replay it:  npx vitest run',
  ])
  const project = await loadConfig(join(cwd, 'dsh-snapshot.config.json'))
  expect(project.command).toEqual(['node', join(cwd, 'agent.js')])
  const scenario = await loadScenario(join(project.scenariosDir, 'hello'), { purpose: 'record' })
  expect(scenario.input).toEqual({
    source: 'wire',
    requests: 'strict',
    steps: [{ op: 'initialize' }, { op: 'newSession' }, { op: 'prompt', text: 'Say hello.' }],
  })
  expect(scenario.pinnedHeader).toBeDefined()
  const wire = await loadWireScript(scenario.wireFile as string)
  expect(wire).toEqual({
    rules: [{ when: { lastUser: 'Say hello.' }, answer: { text: ['Hel', 'lo.'] } }],
  })
  expect(readFileSync(join(cwd, 'tests/snapshot.test.js'), 'utf8')).toContain(
    'snapshotSuite(await loadConfig(',
  )
})

it('points editors at the schemas that are installed with the package', async () => {
  const cwd = tempTree({})
  await init(cwd, 'node agent.js')
  for (const [file, schema] of [
    ['dsh-snapshot.config.json', 'config.schema.json'],
    ['tests/snapshots/hello/input.json', 'input.schema.json'],
    ['tests/snapshots/hello/wire.json', 'wire.schema.json'],
  ] as const) {
    const path = join(cwd, file)
    const { $schema } = JSON.parse(readFileSync(path, 'utf8')) as { $schema: string }
    expect(join(dirname(path), $schema)).toBe(
      join(cwd, 'node_modules/dsh-acp-snapshot/schemas', schema),
    )
    expect(existsSync(new URL(`../../schemas/${schema}`, import.meta.url))).toBe(true)
  }
})

it('overwrites nothing, and writes nothing where anything is there', async () => {
  const cwd = tempTree({ 'dsh-snapshot.config.mjs': 'mine', 'tests/snapshot.test.js': 'mine' })
  await expect(init(cwd, 'node agent.js')).rejects.toMatchObject({
    code: 'CANNOT_WRITE',
    message:
      'init overwrites nothing, and there is tests/snapshot.test.js, dsh-snapshot.config.mjs already; nothing was written',
  })
  expect(existsSync(join(cwd, 'dsh-snapshot.config.json'))).toBe(false)
  expect(readFileSync(join(cwd, 'tests/snapshot.test.js'), 'utf8')).toBe('mine')
})

it('has to be told how the agent is started', async () => {
  const cwd = tempTree({})
  await expect(init(cwd)).rejects.toThrow('--agent is missing')
  expect(existsSync(join(cwd, 'tests'))).toBe(false)
})
