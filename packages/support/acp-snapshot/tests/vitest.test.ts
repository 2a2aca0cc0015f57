import { mkdtempSync, readdirSync, rmSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { defaultLimits, defaultTimeoutMs, endMs } from '../src/run/limits.ts'
import { expectGreen, snapshotSuite, testTimeout } from '../src/vitest.ts'
import { tempTree } from './temp.ts'
import { AGENT, GREEN, INPUT, scenarios } from './tier/example.ts'

// The suite declares its tests while this file is collected, so its folder is there by then.
const root = mkdtempSync(join(tmpdir(), 'dsh-suite-'))
for (const name of ['one', 'two', '.hidden']) {
  mkdirSync(join(root, name))
  for (const [file, text] of Object.entries(GREEN)) writeFileSync(join(root, name, file), text)
}
afterAll(() => rmSync(root, { recursive: true }))

const command = [process.execPath, AGENT] as const
const stderr = vi.spyOn(process.stderr, 'write')
const setConfig = vi.spyOn(vi, 'setConfig')
snapshotSuite({
  scenariosDir: root,
  command: [...command],
  env: { FAKE_SAYS: 'READY', FAKE_WARNS: 'commands keep their network: no unshare' },
})
describe('by URL', () => {
  snapshotSuite({
    scenariosDir: pathToFileURL(`${root}/`),
    command: [...command],
    concurrency: 4,
    part: '2/2',
  })
})

it('tells Vitest how many may run at a time, where it is told', () => {
  expect(setConfig.mock.calls).toEqual([[{ maxConcurrency: 4 }]])
})

it('refuses a folder without scenarios', () => {
  const empty = tempTree({ 'file.txt': '' })
  expect(() => snapshotSuite({ scenariosDir: empty, command: [...command] })).toThrow(
    `no scenario folder in ${empty}`,
  )
  expect(() => snapshotSuite({ scenariosDir: root, command: [...command], part: '3/3' })).toThrow(
    `no scenario folder for the share 3/3 in ${root}`,
  )
})

it('refuses options that are none before it starts anything', () => {
  const normalise = [{ pattern: '', token: '' }]
  expect(() => snapshotSuite({ scenariosDir: root, command: [...command], normalise })).toThrow(
    /^snapshotSuite: normalise\[0\]/,
  )
  const part = '0/2'
  expect(() => snapshotSuite({ scenariosDir: root, command: [...command], part })).toThrow('"0/2"')
})

it('fails with the verdict, and nothing else', async () => {
  const dir = join(scenarios({ red: GREEN }), 'red')
  const tempRoot = tempTree({})
  const env = { FAKE_SAYS: 'STEADY' }
  const failure = expectGreen(dir, { scenariosDir: '', command: [...command], env, tempRoot })
  await expect(failure).rejects.toThrow(
    /^✗ red: stdout-differs[^]*pnpm run test:snapshot:refresh red/,
  )
  await expect(failure).rejects.toSatisfy((error: Error) => error.stack === error.message)
  await expect(
    expectGreen(
      dir,
      { scenariosDir: '', command: [...command], env, tempRoot },
      undefined,
      '    at file:1:2',
    ),
  ).rejects.toSatisfy((error: Error) => error.stack === `${error.message}\n    at file:1:2`)
  await expect(
    expectGreen(dir, {
      scenariosDir: '',
      command: [...command],
      env,
      tempRoot,
      invocation: 'npm run snap',
    }),
  ).rejects.toThrow('npm run snap:refresh red')
})

it('says how a scenario is recorded that never was', async () => {
  const { 'session.jsonl': _log, ...files } = GREEN
  const fresh = { ...files, 'input.json': JSON.stringify({ ...JSON.parse(INPUT), source: 'api' }) }
  const dir = join(scenarios({ fresh }), 'fresh')
  const options = { scenariosDir: '', command: [...command] as const }
  await expect(expectGreen(dir, options)).rejects.toThrow(
    /session.jsonl is missing; record the scenario: pnpm run test:snapshot:record fresh$/,
  )
  const invocation = 'npx dsh-acp-snapshot {mode}'
  await expect(expectGreen(dir, { ...options, invocation })).rejects.toThrow(
    /: npx dsh-acp-snapshot record fresh$/,
  )
})

it('says once what people have to know', () => {
  const said = stderr.mock.calls.map(([text]) => text)
  expect(said.filter((text) => String(text).startsWith('snapshots: '))).toEqual([
    'snapshots: commands keep their network: no unshare\n',
  ])
})

it('ends with the signal of the test', async () => {
  const dir = join(scenarios({ one: GREEN }), 'one')
  const tempRoot = tempTree({})
  const options = { scenariosDir: '', command: [...command] as const, tempRoot }
  const controller = new AbortController()
  const failure = expectGreen(dir, { ...options, env: { FAKE_MUTE: '1' } }, controller.signal)
  while (readdirSync(tempRoot).length === 0) await new Promise(setImmediate)
  controller.abort()
  await expect(failure).rejects.toThrow('the run was interrupted')
  expect(readdirSync(tempRoot)).toEqual([])
})

it('begins nothing where the test is over already', async () => {
  const dir = join(scenarios({ one: GREEN }), 'one')
  const options = { scenariosDir: '', command: [...command] as const, tempRoot: tempTree({}) }
  await expect(expectGreen(dir, options, AbortSignal.abort())).rejects.toThrow('abort')
})

it('gives a test more time than everything in its run can take', () => {
  const input = (more: object) => JSON.stringify({ steps: [{ op: 'cancel' }], ...more })
  const dir = tempTree({
    'named/input.json': input({ timeoutMs: 7 }),
    'none/input.json': input({}),
    'bad/input.json': '{',
    'folder/input.json/': '',
    'empty/': '',
  })
  const end = endMs(defaultLimits) + 10_000
  expect(testTimeout(join(dir, 'named'), 5)).toBe(7 + end)
  expect(testTimeout(join(dir, 'none'), 5)).toBe(5 + end)
  for (const name of ['none', 'bad', 'folder', 'empty']) {
    expect(testTimeout(join(dir, name))).toBe(defaultTimeoutMs + end)
  }
  // From the end of stdin to the last file that is read.
  expect(endMs(defaultLimits)).toBe(28_500)
})
