import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { findConfig, loadConfig } from '../../src/project/load.ts'
import { tempTree } from '../temp.ts'

const NAME = 'dsh-snapshot.config.json'
const load = (config: unknown) =>
  loadConfig(join(tempTree({ [NAME]: JSON.stringify(config) }), NAME))
const problem = async (config: unknown): Promise<string> => {
  const error: unknown = await load(config).catch((cause: unknown) => cause)
  expect(error).toMatchObject({ code: 'BAD_CONFIG' })
  return (error as Error).message
}

describe('loadConfig', () => {
  it('reads JSON, and takes paths from its folder', async () => {
    const dir = tempTree({
      [NAME]: JSON.stringify({
        $schema: './somewhere.json',
        command: ['./agent.js', 'arg.js', '--flag'],
        scenariosDir: 'snaps',
        env: { A: '' },
        modelEnv: { key: ['LLM_ID', 'LLM_KEY'], baseUrl: 'LLM_URL' },
        normalise: [{ pattern: '\\d+', token: '{{n}}' }],
        timeoutMs: 5,
        tools: { web: 'recorded' },
        concurrency: 2,
        invocation: 'npm run snap',
      }),
      'agent.js': '',
    })
    await expect(loadConfig(pathToFileURL(join(dir, NAME)))).resolves.toEqual({
      command: [join(dir, 'agent.js'), 'arg.js', '--flag'],
      scenariosDir: join(dir, 'snaps'),
      env: { A: '' },
      modelEnv: { key: ['LLM_ID', 'LLM_KEY'], baseUrl: 'LLM_URL' },
      normalise: [{ pattern: '\\d+', token: '{{n}}' }],
      timeoutMs: 5,
      tools: { web: 'recorded' },
      concurrency: 2,
      invocation: 'npm run snap',
    })
  })

  it('fills in what is not said', async () => {
    const dir = tempTree({ [NAME]: '{"command":["node"]}' })
    await expect(loadConfig(join(dir, NAME))).resolves.toEqual({
      command: ['node'],
      scenariosDir: join(dir, 'tests/snapshots'),
      invocation: 'npx dsh-acp-snapshot {mode}',
    })
  })

  it('takes the default export of a module, with regular expressions as such', async () => {
    const dir = tempTree({
      'dsh-snapshot.config.mjs':
        'export default { command: ["node"], normalise: [{ pattern: /a/i, token: "{{a}}" }] }',
      'none.mjs': 'export const config = {}',
      'broken.mjs': 'throw new Error("no luck")',
    })
    const { normalise } = await loadConfig(join(dir, 'dsh-snapshot.config.mjs'))
    expect(normalise).toEqual([{ pattern: /a/i, token: '{{a}}' }])
    await expect(loadConfig(join(dir, 'none.mjs'))).rejects.toThrow(
      `${join(dir, 'none.mjs')} has no default export: export the config as that`,
    )
    await expect(loadConfig(join(dir, 'broken.mjs'))).rejects.toMatchObject({
      code: 'BAD_CONFIG',
      message: `cannot load ${join(dir, 'broken.mjs')}: no luck`,
    })
  })

  it('says all that is wrong, with the file and the place', async () => {
    const text = await problem({ command: [], timeoutMs: 0, unknown: 1, tools: { a: 'b' } })
    const lines = text.split('\n')
    for (const line of lines) expect(line).toMatch(/^\/.*dsh-snapshot\.config\.json: /)
    expect(text).toContain('command')
    expect(text).toContain('timeoutMs')
    expect(text).toContain('tools.a')
    expect(lines.at(-1)).toMatch(
      /json: unknown: unknown key \(known: command, env, modelEnv, scenariosDir, /,
    )
    expect(await problem({ comand: ['x'] })).toMatch(
      /json: command: expected a program and its arguments, as .*\n.*json: comand: unknown key, did you mean "command"\?$/,
    )
    expect(await problem({ command: ['x'], normalise: [{ a: 1 }] })).toMatch(
      /json: normalise\[0\]: Unrecognized key: "a"$/,
    )
    for (const key of ['a b', ['A', 'a b'], 7, []]) {
      const modelEnv = { key, baseUrl: 'LLM_URL' }
      expect(await problem({ command: ['x'], modelEnv })).toMatch(
        /json: modelEnv\.key(\[1\])?: (expected the name of an environment variable|Too small)/,
      )
    }
    expect(await problem([])).toMatch(/config\.json: Invalid input/)
    expect(await problem({ command: ['x'], normalise: [{ pattern: '(', token: 'x' }] })).toMatch(
      /^.*config\.json: normalise\[0\]\.pattern: .*\n.*config\.json: normalise\[0\]\.token: /,
    )
  })

  it('says what is no JSON, and what is not there', async () => {
    const dir = tempTree({ [NAME]: '{"command":}' })
    await expect(loadConfig(join(dir, NAME))).rejects.toMatchObject({
      code: 'BAD_CONFIG',
      message: expect.stringMatching(/config\.json:1:12: /) as string,
    })
    await expect(loadConfig(join(dir, 'gone.json'))).rejects.toMatchObject({ code: 'BAD_CONFIG' })
  })
})

describe('findConfig', () => {
  it('takes the one that is there', () => {
    expect(findConfig(tempTree({}))).toBeUndefined()
    for (const name of [NAME, 'dsh-snapshot.config.mjs']) {
      const dir = tempTree({ [name]: '' })
      expect(findConfig(dir)).toBe(join(dir, name))
    }
  })

  it('refuses to choose', () => {
    const dir = tempTree({ [NAME]: '', 'dsh-snapshot.config.mjs': '' })
    expect(() => findConfig(dir)).toThrow(
      `${NAME} and dsh-snapshot.config.mjs are both in ${dir}: keep one, or name it with --config`,
    )
  })
})
