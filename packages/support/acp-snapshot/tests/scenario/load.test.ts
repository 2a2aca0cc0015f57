import { spawnSync } from 'node:child_process'
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
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
    'tools.expected.json': '[]\n',
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
      'BAD_SCENARIO scenario NAME: session.jsonl is missing; write it by hand, or give it a "source" to be recorded',
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
      'BAD_SCENARIO scenario NAME: replay.override.1.json overrides session.1.jsonl, which is missing; ' +
        'the last log is session.jsonl, and its override would be replay.override.json',
    ],
    [
      { ...base, 'session.1.jsonl': child('c'), 'replay.override.4.json': '[]' },
      'BAD_SCENARIO scenario NAME: replay.override.4.json overrides session.4.jsonl, which is missing; ' +
        'the last log is session.1.jsonl, and its override would be replay.override.1.json',
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
    [
      { ...base, 'input.json': wire },
      'input.json says source "wire" but wire.json is missing: write one, or name another source',
    ],
    [
      { ...base, 'wire.json': '' },
      'wire.json is there but input.json says source "authored": remove it, or say "wire"',
    ],
    [{ ...base, 'session.jsonl': '' }, 'BAD_FIXTURE NAME/session.jsonl: empty'],
    [
      { ...base, 'session.jsonl': `${log}{"type":` },
      'NOT_JSON NAME/session.jsonl:3:9: the text ends too early, near "{\\"type\\":"; correct it there',
    ],
    [
      { ...base, 'session.jsonl': `${log}[]\n` },
      'BAD_FIXTURE NAME/session.jsonl:3: no event, expected an object with a "type"; record the scenario again',
    ],
    [
      { ...base, 'session.jsonl': `${log}{"seq":1}\n` },
      'BAD_FIXTURE NAME/session.jsonl:3: no event',
    ],
    [
      {
        ...base,
        'input.json': JSON.stringify({ steps: [{ op: 'initialize' }], requests: 'strict' }),
        'replay.override.json': '[{"kind":"hang"}]',
      },
      'BAD_FIXTURE NAME/replay.override.json replaces every call of NAME/session.jsonl, so nothing says',
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

it('takes a second root where both are numbered', async () => {
  const files = {
    ...base,
    'session.jsonl': jsonl(header('p', { root: 0 })),
    'session.1.jsonl': jsonl(header('q', { root: 1 })),
  }
  expect((await loadScenario(tempTree(files))).logFiles).toHaveLength(2)
})

describe('case R9: whatever is wrong with a file is found before anything is started', () => {
  const event = (data: unknown) => jsonl({ type: 'assistant/chunk', seq: 1, time: 0, data })
  const chunk = (value: unknown) => event({ turn: 1, step: 1, chunk: value })
  const deep = `{"type":"x","seq":1,"time":0,"data":${'['.repeat(20_000)}${']'.repeat(20_000)}}\n`
  it.each<[string, Record<string, string>, string]>([
    [
      'CR LF',
      { 'session.jsonl': log.replaceAll('\n', '\r\n') },
      'BAD_FIXTURE NAME/session.jsonl:1: ends in CR LF, expected LF alone; check the file out without conversion',
    ],
    [
      'a last line without newline',
      { 'session.jsonl': log.slice(0, -1) },
      'BAD_FIXTURE NAME/session.jsonl:2: the last line has no newline, so its end may be lost; record',
    ],
    [
      'a key twice',
      { 'session.jsonl': log.replace('"seq":0', '"seq":1,"seq":0') },
      'NOT_JSON NAME/session.jsonl:2:30: the key "seq" stands twice in one object, near ',
    ],
    [
      'a depth that nobody can walk',
      { 'session.jsonl': log + deep },
      'NOT_JSON NAME/session.jsonl:3:536: nested deeper than 500 levels, near ',
    ],
    [
      'a second header',
      { 'session.jsonl': log + jsonl(header('q')) },
      'BAD_FIXTURE NAME/session.jsonl:3: a second session header; one file holds the log of one session',
    ],
    [
      'another version',
      { 'session.jsonl': jsonl({ ...(header('p') as object), version: 1 }) },
      'BAD_FIXTURE NAME/session.jsonl:1: unsupported session format version 1 for "p" (only v0 is supported)',
    ],
    [
      'a seed that is longer than the log',
      { 'session.jsonl': jsonl(header('p', { seedLength: 9999 })) },
      'BAD_FIXTURE NAME/session.jsonl:1: the header says that 9999 events were inherited',
    ],
    [
      'a seed below nothing',
      { 'session.jsonl': jsonl(header('p', { seedLength: -1 })) },
      'BAD_FIXTURE NAME/session.jsonl:1: the header\'s "seedLength" must be an integer of 0 or more, not -1',
    ],
    [
      'an unknown chunk',
      { 'session.jsonl': log + chunk({ type: 'nope' }) },
      'BAD_FIXTURE NAME/session.jsonl:3: malformed assistant/chunk at seq 1: unknown chunk type "nope"; record the scenario again',
    ],
    [
      'a text that is none',
      { 'session.jsonl': log + chunk({ type: 'text-delta', index: 0, text: 5 }) },
      'NAME/session.jsonl:3: malformed assistant/chunk at seq 1: "text" must be a string, not 5',
    ],
    [
      'a turn that is none',
      { 'session.jsonl': log + event({ turn: '1', step: 1 }) },
      'NAME/session.jsonl:3: malformed assistant/chunk at seq 1: "turn" must be an integer',
    ],
    [
      'a child that is malformed',
      { 'session.1.jsonl': child('c') + chunk({ type: 'nope' }) },
      'NAME/session.1.jsonl:2: malformed assistant/chunk at seq 1',
    ],
    [
      'a transcript with a bad line',
      { 'stdout.expected.jsonl': '{}\n{"a" 1}\n' },
      'NOT_JSON NAME/stdout.expected.jsonl:2:6: expected ":" after a key, near "{\\"a\\" 1}"; correct it there',
    ],
    [
      'an override with a mistake',
      { 'replay.override.json': '[\n  {"kind":}\n]' },
      'NOT_JSON NAME/replay.override.json:2:11: expected a value, not "}", near ',
    ],
    [
      'an override of no known kind',
      { 'replay.override.json': '[{"kind":"wait"}]' },
      'BAD_FIXTURE NAME/replay.override.json: entry 0',
    ],
    [
      "a child's override with a mistake",
      { 'session.1.jsonl': child('c'), 'replay.override.1.json': '[' },
      'NOT_JSON NAME/replay.override.1.json:1:2: the text ends too early',
    ],
    [
      'a wire script with a mistake',
      { 'input.json': wire, 'wire.json': '{' },
      'NOT_JSON NAME/wire.json:1:2: the text ends too early',
    ],
    [
      'a mistake in input.json',
      { 'input.json': '{\n "steps": [}' },
      'BAD_INPUT NAME/input.json:2:12: expected a value, not "}", near ',
    ],
    [
      'two roots that cannot be told apart',
      { 'session.1.jsonl': jsonl(header('q')) },
      'BAD_FIXTURE NAME/session.jsonl: one of 2 sessions without a parent',
    ],
  ])('%s', async (_what, files, message) => {
    expect(await refusal({ ...base, ...files })).toContain(message)
  })

  it.each(Object.keys({ ...base, 'stdout.expected.jsonl': '', 'replay.override.json': '' }))(
    'a FIFO, a dead link, and bytes that are no text in the place of %s',
    async (file) => {
      const message = async (make: (path: string) => unknown) => {
        const dir = tempTree(base)
        rmSync(join(dir, file), { force: true })
        make(join(dir, file))
        return loadScenario(dir).catch((error: Error) => error.message)
      }
      expect(await message((path) => spawnSync('mkfifo', [path]))).toMatch(
        `${file}: a FIFO, expected a regular file; remove it`,
      )
      expect(await message((path) => symlinkSync('nowhere', path))).toMatch(
        `${file}: a link to nowhere, which leads nowhere; put the file there`,
      )
      expect(await message((path) => writeFileSync(path, Buffer.from([0x0a, 0xff])))).toMatch(
        `${file}:2: not UTF-8; save it as UTF-8, or record it again`,
      )
    },
  )

  it.each(['system.expected.txt', 'tools.expected.json'])('a FIFO for %s', async (file) => {
    const dir = tempTree({ ...base, 'system.expected.txt': '', 'tools.expected.json': '[]\n' })
    rmSync(join(dir, file))
    spawnSync('mkfifo', [join(dir, file)])
    await expect(loadScenario(dir)).rejects.toThrow(`${file}: a FIFO`)
  })

  it('what cannot be copied into the workspace, and no link that leads nowhere', async () => {
    const dir = tempTree({ ...base, 'workspace/deep/a.txt': '' })
    symlinkSync('nowhere', join(dir, 'workspace/deep/link'))
    expect((await loadScenario(dir)).workspaceDir).toBe(join(dir, 'workspace'))
    spawnSync('mkfifo', [join(dir, 'workspace/deep/pipe')])
    await expect(loadScenario(dir)).rejects.toMatchObject({
      code: 'BAD_SCENARIO',
      message: `${basename(dir)}/workspace/deep/pipe: a FIFO, expected files, folders and links only; remove it`,
    })
  })
})

it('reads no further once it is told to stop', async () => {
  const reason = new Error('enough')
  const signal = AbortSignal.abort(reason)
  await expect(loadScenario(tempTree(base), { signal })).rejects.toBe(reason)
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
