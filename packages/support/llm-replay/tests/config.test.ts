import { delimiter } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Config, type ReplayError } from '../src/index.ts'
import { resolveConfig } from '../src/config.ts'

const env = {
  DSH_SNAPSHOT_FILE: '/env/session.jsonl',
  DSH_SNAPSHOT_OVERRIDE: '/env/replay.override.json',
  DSH_SNAPSHOT_CHILD_FILES: ['/env/a.jsonl', '', '/env/b.jsonl'].join(delimiter),
  DSH_SNAPSHOT_CHILD_OVERRIDES: '{"/env/a.jsonl":"/env/a.json"}',
  DSH_SNAPSHOT_REPORT: '/env/report.jsonl',
  DSH_SNAPSHOT_TOOLS: '{"bash":"recorded"}',
  DSH_SNAPSHOT_REQUESTS: 'strict',
  DSH_SNAPSHOT_NORMALISE:
    '[{"pattern":"a","token":"{{a}}"},{"pattern":"b","flags":"i","token":"{{b}}"}]',
}

describe('Config', () => {
  it('is complete without a row', () => {
    expect(Config.parse(undefined)).toEqual({})
  })

  it('takes what it knows, present but undefined too', () => {
    const config = {
      file: 'f',
      overrideFile: 'o',
      childFiles: ['c'],
      childOverrideFiles: { c: 'o' },
      reportFile: 'r',
      tools: { bash: 'recorded', edit: 'run', fetch: 'refuse' },
      requests: 'off',
      normalise: [{ pattern: 'a', flags: 'i', token: '{{a}}' }],
    }
    expect(Config.parse(config)).toEqual(config)
    expect(Config.parse({ file: undefined })).toEqual({ file: undefined })
  })

  it.each([
    { files: 'f' },
    { file: '' },
    { overrideFile: '' },
    { childFiles: [''] },
    { childFiles: 'c' },
    { childOverrideFiles: { c: '' } },
    { childOverrideFiles: { '': 'o' } },
    { childOverrideFiles: ['o'] },
    { reportFile: '' },
    { tools: { bash: 'mock' } },
    { tools: JSON.parse('{"__proto__":"refuse"}') as unknown },
    { tools: null },
    { requests: true },
    { requests: '' },
    null,
  ])('refuses %j', (config) => {
    expect(Config.safeParse(config).success).toBe(false)
  })
})

describe('resolveConfig', () => {
  it('takes everything from the environment', () => {
    expect(resolveConfig({}, env)).toEqual({
      file: '/env/session.jsonl',
      overrideFile: '/env/replay.override.json',
      childFiles: ['/env/a.jsonl', '/env/b.jsonl'],
      childOverrideFiles: { '/env/a.jsonl': '/env/a.json' },
      reportFile: '/env/report.jsonl',
      tools: { bash: 'recorded' },
      requests: 'strict',
      normalise: [
        { pattern: 'a', token: '{{a}}' },
        { pattern: /b/i, token: '{{b}}' },
      ],
    })
  })

  it('prefers the configuration, an empty list too', () => {
    const config = {
      file: 'f',
      overrideFile: 'o',
      childFiles: [],
      childOverrideFiles: {},
      reportFile: 'r',
      tools: {},
      requests: 'off',
      normalise: [],
    } as const
    expect(resolveConfig({ ...config, childFiles: [], normalise: [] }, env)).toEqual(config)
  })

  it('counts an empty variable as unset', () => {
    const empty = Object.fromEntries(Object.keys(env).map((key) => [key, '']))
    const plain = { file: 'f', childFiles: [], childOverrideFiles: {}, tools: {}, normalise: [] }
    expect(resolveConfig({ file: 'f' }, empty)).toStrictEqual(plain)
    expect(resolveConfig({ file: 'f' }, {})).toStrictEqual(plain)
  })

  it.each([{}, { DSH_SNAPSHOT_FILE: '' }])('case R9: needs a primary file (%j)', (given) => {
    expect(() => resolveConfig({}, given)).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message:
          'llm-replay: no recorded session is given: set "file" in the configuration of this plugin, or DSH_SNAPSHOT_FILE in the environment',
      }),
    )
  })

  it.each([
    ['{', /by tool name: .*JSON/],
    ['[]', /by tool name: .*expected record/],
    ['{"bash":"mock"}', /by tool name: [^]*at bash/],
    ['{"__proto__":"refuse"}', /by tool name: [^]*no tool can be named "__proto__"/],
  ])('names the variable when the policies are %s', (text, reason) => {
    try {
      resolveConfig({ file: 'f' }, { DSH_SNAPSHOT_TOOLS: text })
      expect.unreachable()
    } catch (error) {
      expect((error as ReplayError).code).toBe('CONFIG_INVALID')
      expect((error as Error).message).toMatch(
        /^llm-replay: DSH_SNAPSHOT_TOOLS must be a JSON object of "run", "recorded" or "refuse"/,
      )
      expect((error as Error).message).toMatch(reason)
    }
  })

  it.each([
    ['{}', /DSH_SNAPSHOT_NORMALISE must be a JSON array of rules, each with "pattern"/],
    ['[{"pattern":"a"}]', /DSH_SNAPSHOT_NORMALISE must be a JSON array[^]*at \[0\]\.token/],
    ['[{"pattern":"a","flags":"q","token":"{{a}}"}]', /the rule for {{a}} is no regular.*flags/],
  ])('refuses %s for rules', (text, reason) => {
    const resolve = () => resolveConfig({ file: 'f' }, { DSH_SNAPSHOT_NORMALISE: text })
    expect(resolve).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringMatching(reason) }),
    )
  })

  it('refuses a misspelt policy for requests', () => {
    expect(() => resolveConfig({ file: 'f' }, { DSH_SNAPSHOT_REQUESTS: 'stirct' })).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message: 'llm-replay: DSH_SNAPSHOT_REQUESTS must be "strict" or "off", not "stirct"',
      }),
    )
  })

  it.each([
    ['{', /JSON/],
    ['["/env/a.json"]', /expected record/],
    ['{"/env/a.jsonl":1}', /at ./],
  ])('names the variable when the overrides of children are %s', (text, reason) => {
    const run = (): unknown => resolveConfig({ file: 'f' }, { DSH_SNAPSHOT_CHILD_OVERRIDES: text })
    expect(run).toThrow(/^llm-replay: DSH_SNAPSHOT_CHILD_OVERRIDES must be a JSON object of a path/)
    expect(run).toThrow(reason)
  })
})
