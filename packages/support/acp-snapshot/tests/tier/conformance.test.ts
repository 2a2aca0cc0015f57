import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { conform } from '../../src/tier/conformance.ts'
import { tempTree } from '../temp.ts'
import { agent, GREEN, LOG, scenarios } from './example.ts'

/** A recording as another program left it: its own id, times and place, and files of its own. */
const RECORDING = {
  'input.json': GREEN['input.json'] as string,
  'session.jsonl': LOG.replace('{{session}}', '0b8f4c1e-3c5d-4b4e-9d2a-1f2e3d4c5b6a').replace(
    '"cwd":"{{cwd}}"',
    '"cwd":"/elsewhere/cwd"',
  ),
  'notes.md': 'theirs',
}

async function run(files: Readonly<Record<string, string>>, env = {}, more = {}) {
  const root = scenarios({ theirs: files })
  return conform(join(root, 'theirs'), { agent: agent(env), tempRoot: tempTree({}), ...more })
}

it('agrees with a recording of another program, whatever the transcript', async () => {
  await expect(run(RECORDING, { FAKE_SAYS: 'STEADY' })).resolves.toMatchObject({
    scenario: 'theirs',
    status: 'passed',
    findings: [],
    logsCompared: 1,
  })
})

it('names the first event that differs, and keeps the run', async () => {
  const outcome = await run(RECORDING, { FAKE_SPOILS: 'OTHER' })
  expect(outcome).toMatchObject({
    status: 'failed',
    remedy: 'agent',
    findings: [{ kind: 'log-differs', file: 'session.jsonl', difference: { line: 5 } }],
  })
  expect(existsSync(outcome.runDir ?? '')).toBe(true)
})

it('asks the agent to behave as the recorded program does, unless the agent is told otherwise', async () => {
  const agreed = await run(RECORDING, { FAKE_CONFORMS: '1' })
  expect(agreed.status).toBe('passed')
  const told = { FAKE_CONFORMS: '1', DSH_SNAPSHOT_CONFORMANCE: '0' }
  await expect(run(RECORDING, told)).resolves.toMatchObject({ status: 'failed' })
})

it('keeps no run where that is not wanted', async () => {
  const outcome = await run(RECORDING, { FAKE_SPOILS: 'OTHER' }, { keepFailed: false })
  expect(outcome.runDir).toBeUndefined()
})

it('is red for what replay reported, although the logs agree', async () => {
  await expect(run(RECORDING, { FAKE_LEAVES: '1' })).resolves.toMatchObject({
    status: 'failed',
    findings: [{ kind: 'leftover' }],
  })
})

it('asks for a repair where the run itself failed, and names no folder that is gone', async () => {
  const outcome = await run(RECORDING, {}, { signal: AbortSignal.abort() })
  expect(outcome).toMatchObject({ status: 'failed', remedy: 'fix' })
  expect(outcome).not.toHaveProperty('runDir')
})
