import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadScenario } from '../../src/scenario/load.ts'
import { replayScenario } from '../../src/tier/replay.ts'
import { tempTree } from '../temp.ts'
import { agent, GREEN, scenarios } from './example.ts'

async function replay(env: Readonly<Record<string, string>>, more: object = {}) {
  const root = scenarios({ one: GREEN })
  const tempRoot = tempTree({})
  const scenario = await loadScenario(join(root, 'one'))
  const outcome = await replayScenario(scenario, { agent: agent(env), tempRoot, ...more })
  return { ...outcome, left: await readdir(tempRoot) }
}

it('is green when everything that was said and written is as committed, and leaves nothing', async () => {
  const { verdict, normal, left } = await replay({})
  expect(verdict).toMatchObject({
    scenario: 'one',
    status: 'passed',
    findings: [],
    logsCompared: 1,
    lanes: [{ lane: 0, served: 1, left: 0 }],
  })
  expect(normal.logs[0]?.text).toBe(GREEN['session.jsonl'])
  expect(left).toEqual([])
})

it("compares by a project's own rules, on both sides", async () => {
  const normalise = [{ pattern: 'READY|STEADY', token: '{{word}}' }]
  const { verdict, normal } = await replay({ FAKE_SAYS: 'STEADY' }, { normalise })
  expect(verdict).toMatchObject({ status: 'passed', findings: [] })
  expect(normal.logs[0]?.text).toBe(GREEN['session.jsonl']?.replaceAll('READY', '{{word}}'))
})

it('is red when the agent says something else, and keeps the folder of the run', async () => {
  const { verdict, left } = await replay({ FAKE_SAYS: 'STEADY' })
  expect(verdict).toMatchObject({
    status: 'failed',
    remedy: 'refresh',
    findings: [
      { kind: 'stdout-differs', difference: { line: 3, expected: '"READY"', actual: '"STEADY"' } },
    ],
  })
  expect(existsSync(verdict.runDir ?? '')).toBe(true)
  expect(left).toHaveLength(1)
})

it('keeps nothing of a red run where that is not wanted', async () => {
  const { verdict, left } = await replay({ FAKE_SAYS: 'STEADY' }, { keepFailed: false })
  expect(verdict.status).toBe('failed')
  expect(verdict.runDir).toBeUndefined()
  expect(left).toEqual([])
})

it('case R7: is red for a refusal in the report although the agent said nothing of it', async () => {
  const { verdict } = await replay({ FAKE_REFUSES: 'llm-replay: script exhausted' })
  expect(verdict.findings).toEqual([
    expect.objectContaining({ kind: 'extra-call', code: 'SCRIPT_EXHAUSTED', lane: 0, call: 2 }),
  ])
})

it('is red for a recorded call that was never made', async () => {
  const { verdict } = await replay({ FAKE_LEAVES: '1' })
  expect(verdict.findings).toEqual([expect.objectContaining({ kind: 'leftover', left: 1 })])
})

it('ends at once when it is interrupted, within its own bounds', async () => {
  const { verdict, left } = await replay({}, { signal: AbortSignal.abort(), timeoutMs: 5_000 })
  expect(verdict.findings[0]).toMatchObject({ kind: 'fault', fault: { kind: 'interrupted' } })
  expect(left).toEqual([])
})

it('case R7: is red for a report that tells of another recording', async () => {
  const { verdict } = await replay({ FAKE_LOADS: 'a' })
  expect(verdict.findings).toEqual([expect.objectContaining({ kind: 'report-differs' })])
  expect(verdict.remedy).toBe('fix')
})
