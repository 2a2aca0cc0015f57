import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { loadScenario } from '../../src/scenario/load.ts'
import { childOverrides } from '../../src/scenario/scripts.ts'
import { header, jsonl, tempTree } from '../temp.ts'

const input = JSON.stringify({ steps: [{ op: 'initialize' }] })
const place = (index = 0) => ({ turn: 1, step: 1, call: 0, index })
const child = (id: string, more: object = {}) =>
  jsonl(header(id, { parentSession: 'p', spawnedBy: place(), ...more }))
const base = { 'input.json': input, 'session.jsonl': jsonl(header('p', { root: 0 })) }
const cut = jsonl(header('c', { parentSession: 'p', spawnedBy: place() }), {
  type: 'assistant/chunk',
  seq: 0,
  time: 0,
  data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text: 'x' } },
})

/** As a replay and a conformance run refuse the folder; both before any agent is started. */
async function refusal(files: Record<string, string>): Promise<string> {
  const dir = tempTree(files)
  const told = await Promise.all(
    (['replay', 'conformance'] as const).map((purpose) =>
      loadScenario(dir, { purpose }).then(
        () => 'loaded',
        (error: { code: string; message: string }) =>
          `${error.code} ${error.message.replaceAll(basename(dir), 'NAME')}`,
      ),
    ),
  )
  expect(told[1]).toBe(told[0])
  return told[0] as string
}

it.each([
  [
    'a child without a header',
    { 'session.1.jsonl': jsonl({ type: 'turn/start', seq: 0, time: 0, data: {} }) },
    'BAD_FIXTURE NAME/session.1.jsonl: line 1 is not a session header',
  ],
  ['a child of zero bytes', { 'session.1.jsonl': '' }, 'BAD_FIXTURE NAME/session.1.jsonl: empty'],
  [
    'a seed that is longer than the log',
    { 'session.1.jsonl': child('c', { seedLength: 3 }) },
    'BAD_FIXTURE NAME/session.1.jsonl:1: the header says that 3 events were inherited (seedLength), but the log holds 0',
  ],
  [
    'a child that is its own parent',
    { 'session.1.jsonl': child('c', { parentSession: 'c' }) },
    'BAD_FIXTURE NAME/session.1.jsonl: its parent c has no log before it',
  ],
  [
    'a child whose parent is not there',
    { 'session.1.jsonl': child('c', { parentSession: 'gone' }) },
    'BAD_FIXTURE NAME/session.1.jsonl: its parent gone has no log before it',
  ],
  [
    'two roots of one number',
    { 'session.1.jsonl': jsonl(header('q', { root: 0 })) },
    'BAD_FIXTURE NAME/session.jsonl and NAME/session.1.jsonl are both root 0',
  ],
  [
    'two roots of which one has no number',
    { 'session.1.jsonl': jsonl(header('q')) },
    'BAD_FIXTURE NAME/session.1.jsonl: one of 2 sessions without a parent, and its header has no "root"',
  ],
  [
    'two children in one place',
    { 'session.1.jsonl': child('c'), 'session.2.jsonl': child('d') },
    'BAD_FIXTURE NAME/session.1.jsonl and NAME/session.2.jsonl have the same place among the children of "p"',
  ],
  [
    'one log under two names',
    { 'session.1.jsonl': child('c'), 'session.2.jsonl': child('c') },
    'BAD_FIXTURE NAME/session.2.jsonl: has the session id of NAME/session.1.jsonl: c',
  ],
  [
    'a call of a child that has no end, and no sidecar that says how it ended',
    { 'session.1.jsonl': cut },
    'BAD_FIXTURE model call 1/1 ended without a finish chunk (NAME/session.1.jsonl, last chunk at seq 0)',
  ],
  [
    'a sidecar of a child that does not parse',
    { 'session.1.jsonl': cut, 'replay.override.1.json': '[{"kind":"hung"}]' },
    'BAD_FIXTURE NAME/replay.override.1.json: entry 0',
  ],
])('case R9: refuses %s', async (_, files, message) => {
  expect(await refusal({ ...base, ...files })).toContain(message)
})

it('takes a cut call of a child with its sidecar', async () => {
  const dir = tempTree({
    ...base,
    'session.1.jsonl': child('c'),
    'session.2.jsonl': cut.replace('"id":"c"', '"id":"d"').replace('"index":0}', '"index":1}'),
    'replay.override.2.json': '[{"kind":"hang"}]',
  })
  const scenario = await loadScenario(dir)
  expect(childOverrides(scenario)).toEqual({
    [join(dir, 'session.2.jsonl')]: join(dir, 'replay.override.2.json'),
  })
})

it('leaves out a sidecar whose log is yet to be recorded', () => {
  expect(childOverrides({ logFiles: ['/s/0'], childOverrideFiles: { 1: '/s/o' } })).toEqual({})
  expect(childOverrides({ logFiles: ['/s/0'] })).toEqual({})
})
