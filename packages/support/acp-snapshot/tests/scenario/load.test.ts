import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadScenario } from '../../src/scenario/load.ts'
import { header, jsonl, tempTree } from '../temp.ts'

const input = JSON.stringify({ steps: [{ op: 'initialize' }] })
const wire = JSON.stringify({ steps: [{ op: 'initialize' }], source: 'wire' })
const log = jsonl(header('p'), { type: 'turn/start', seq: 0, time: 0, data: {} })
const child = (id: string, parentSession = 'p') => jsonl(header(id, { parentSession }))
const base = { 'input.json': input, 'session.jsonl': log }

const refusal = async (files: Record<string, string>, options?: { purpose: 'record' }) => {
  const dir = tempTree(files)
  const error: unknown = await loadScenario(dir, options).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  const { code, message } = error as { code: string; message: string }
  return `${code} ${message.replaceAll(basename(dir), 'NAME')}`
}

it('loads the least that there may be', async () => {
  const dir = tempTree(base)
  expect(await loadScenario(dir)).toEqual({
    name: basename(dir),
    dir,
    input: { steps: [{ op: 'initialize' }], source: 'authored' },
    logFiles: [join(dir, 'session.jsonl')],
  })
})

it('loads everything that there may be', async () => {
  const dir = tempTree({
    'input.json': wire,
    'session.jsonl': log,
    'session.1.jsonl': child('c'),
    'session.2.jsonl': child('d', 'c'),
    'replay.override.json': '[]',
    'replay.override.2.json': '[]',
    'workspace/a.txt': 'x',
    'stdout.expected.jsonl': '',
    'system.expected.txt': '',
    'tools.expected.json': '',
    'wire.json': '{}',
    '.DS_Store': 'x',
    '.git/': '',
  })
  expect(await loadScenario(dir)).toEqual({
    name: basename(dir),
    dir,
    input: expect.objectContaining({ source: 'wire' }),
    logFiles: ['session.jsonl', 'session.1.jsonl', 'session.2.jsonl'].map((n) => join(dir, n)),
    overrideFile: join(dir, 'replay.override.json'),
    childOverrideFiles: { 2: join(dir, 'replay.override.2.json') },
    workspaceDir: join(dir, 'workspace'),
    stdoutFile: join(dir, 'stdout.expected.jsonl'),
    pinnedHeader: {
      systemFile: join(dir, 'system.expected.txt'),
      toolsFile: join(dir, 'tools.expected.json'),
    },
    wireFile: join(dir, 'wire.json'),
  })
})

it('orders logs by number, not by text', async () => {
  const files: Record<string, string> = { ...base }
  for (let n = 1; n <= 11; n += 1) files[`session.${n}.jsonl`] = child(`c${n}`)
  const { logFiles } = await loadScenario(tempTree(files))
  expect(logFiles.map((file) => basename(file)).slice(8)).toEqual([
    'session.8.jsonl',
    'session.9.jsonl',
    'session.10.jsonl',
    'session.11.jsonl',
  ])
})

it('resolves a relative folder', async () => {
  const dir = tempTree(base)
  const relative = join(dir, '..', basename(dir), '.')
  expect((await loadScenario(relative)).dir).toBe(dir)
})

it('needs no logs for recording, and does not read them', async () => {
  expect(
    (await loadScenario(tempTree({ 'input.json': input }), { purpose: 'record' })).logFiles,
  ).toEqual([])
  const broken = { 'input.json': input, 'session.2.jsonl': 'x', 'replay.override.1.json': '[]' }
  const { logFiles } = await loadScenario(tempTree(broken), { purpose: 'record' })
  expect(logFiles.map((file) => basename(file))).toEqual(['session.2.jsonl'])
  expect(await refusal({ ...broken, 'stray.txt': '' }, { purpose: 'record' })).toContain(
    'stray.txt',
  )
})

describe('case R9: a folder that is not whole is refused', () => {
  it.each([
    [
      { 'session.jsonl': log },
      'BAD_SCENARIO scenario NAME: input.json is missing: it says what the client does',
    ],
    [{ 'input.json': '{}', 'session.jsonl': log }, 'BAD_INPUT NAME/input.json: steps: '],
    [
      { 'input.json': input },
      'BAD_SCENARIO scenario NAME: session.jsonl is missing: record the scenario, or write it by hand',
    ],
    [
      { 'input.json': input, 'session.1.jsonl': log },
      'BAD_SCENARIO scenario NAME: session.jsonl is missing',
    ],
    [
      { ...base, 'session.1.jsonl': child('c'), 'session.3.jsonl': child('d') },
      'BAD_SCENARIO scenario NAME: session.2.jsonl is missing although session.3.jsonl is there: number without gaps',
    ],
    [
      { ...base, 'replay.override.1.json': '[]' },
      'BAD_SCENARIO scenario NAME: replay.override.1.json overrides session.1.jsonl, which is missing',
    ],
    [
      { ...base, 'sesion.jsonl': '' },
      'BAD_SCENARIO scenario NAME: unexpected file "sesion.jsonl", did you mean "session.jsonl"?; remove it',
    ],
    [
      { ...base, 'session.0.jsonl': '' },
      'BAD_SCENARIO scenario NAME: unexpected file "session.0.jsonl"',
    ],
    [
      { ...base, 'session.01.jsonl': '' },
      'BAD_SCENARIO scenario NAME: unexpected file "session.01.jsonl"',
    ],
    [
      { ...base, 'session.1.json': '' },
      'BAD_SCENARIO scenario NAME: unexpected file "session.1.json"',
    ],
    [
      { ...base, 'replay.override.jsonl': '' },
      'unexpected file "replay.override.jsonl", did you mean "replay.override.json"?',
    ],
    [{ ...base, qqq: '' }, 'unexpected file "qqq"; remove it or give it a name that counts'],
    [
      { ...base, 'workspaces/': '' },
      'unexpected folder "workspaces", did you mean "workspace"? (only workspace/ may be here)',
    ],
    [
      { ...base, 'session.1.jsonl/': '' },
      'unexpected folder "session.1.jsonl" (only workspace/ may be here)',
    ],
    [
      { ...base, workspace: '' },
      'BAD_SCENARIO scenario NAME: workspace is a file, expected a folder',
    ],
    [
      { ...base, 'system.expected.txt': '' },
      'system.expected.txt is there but tools.expected.json is not: a header is pinned whole or not at all',
    ],
    [
      { ...base, 'tools.expected.json': '' },
      'tools.expected.json is there but system.expected.txt is not',
    ],
    [{ ...base, 'input.json': wire }, 'input.json says source "wire" but wire.json is missing'],
    [{ ...base, 'wire.json': '' }, 'wire.json is there but input.json says source "authored"'],
    [{ ...base, 'session.jsonl': '' }, 'BAD_FIXTURE NAME/session.jsonl: empty'],
    [
      { ...base, 'session.jsonl': `${log}{"type":` },
      'NOT_JSON NAME/session.jsonl: line 3 is not JSON: ',
    ],
    [
      { ...base, 'session.jsonl': `${log}[]\n` },
      'BAD_FIXTURE NAME/session.jsonl: line 3 is no event: expected an object with a "type"',
    ],
    [
      { ...base, 'session.jsonl': `${log}{"seq":1}\n` },
      'BAD_FIXTURE NAME/session.jsonl: line 3 is no event',
    ],
    [
      { ...base, 'session.1.jsonl': log },
      'BAD_FIXTURE NAME/session.1.jsonl: has the session id of NAME/session.jsonl: p',
    ],
    [
      { ...base, 'session.jsonl': child('c') },
      "BAD_FIXTURE NAME/session.jsonl: the primary log is a child's (parentSession p); are two files swapped?",
    ],
    [
      { ...base, 'session.1.jsonl': child('c', 'd'), 'session.2.jsonl': child('d') },
      'BAD_FIXTURE NAME/session.1.jsonl: its parent d has no log before it; number the logs parents first',
    ],
  ])('%#: %j', async (files, message) => {
    expect(await refusal(files as Record<string, string>)).toContain(message)
  })
})

it('takes a second root and a hand-written id', async () => {
  const hand = jsonl(header('{{sessionId}}', { root: 0 }))
  const second = jsonl(header('q', { root: 1 }))
  const files = { ...base, 'session.jsonl': hand, 'session.1.jsonl': second }
  expect((await loadScenario(tempTree(files))).logFiles).toHaveLength(2)
})

it('suggests the nearest scenario for an unknown one', async () => {
  const root = tempTree({ 'text-turn/': '', 'tool-turn/': '' })
  await expect(loadScenario(join(root, 'text-trun'))).rejects.toMatchObject({
    code: 'BAD_SCENARIO',
    message: `no scenario folder "text-trun", did you mean "text-turn"? (${join(root, 'text-trun')})`,
    cause: expect.objectContaining({ code: 'ENOENT' }),
  })
  await expect(loadScenario(join(root, 'zzzz'))).rejects.toThrow(
    'no scenario folder "zzzz"; known here: text-turn, tool-turn (',
  )
  await expect(loadScenario(join(root, 'no/where'))).rejects.toThrow(
    'no scenario folder "where"; known here: none (',
  )
})
