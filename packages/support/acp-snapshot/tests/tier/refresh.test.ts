import { readFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadScenario } from '../../src/scenario/load.ts'
import { refreshScenario } from '../../src/tier/refresh.ts'
import { agent, GREEN, scenarios, STDOUT } from './example.ts'

async function refresh(
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
) {
  const root = scenarios({ one: files })
  const outcome = await refreshScenario(await loadScenario(join(root, 'one')), {
    agent: agent(env),
  })
  return { ...outcome, file: join(root, 'one/stdout.expected.jsonl') }
}

it('writes the transcript where there is none', async () => {
  const { 'stdout.expected.jsonl': _none, ...files } = GREEN
  const { verdict, written, file } = await refresh(files)
  expect(verdict.status).toBe('passed')
  expect(written).toEqual(['stdout.expected.jsonl'])
  await expect(readFile(file, 'utf8')).resolves.toBe(STDOUT)
})

it('rewrites a transcript that differs', async () => {
  const { verdict, written, file } = await refresh(GREEN, { FAKE_SAYS: 'STEADY' })
  expect(verdict).toMatchObject({ status: 'passed', findings: [] })
  expect(written).toEqual(['stdout.expected.jsonl'])
  await expect(readFile(file, 'utf8')).resolves.toBe(STDOUT.replace('READY', 'STEADY'))
})

it('writes nothing when everything is as committed', async () => {
  const { verdict, written } = await refresh(GREEN)
  expect(verdict.status).toBe('passed')
  expect(written).toEqual([])
})

it('writes nothing where replay found something wrong', async () => {
  const { 'stdout.expected.jsonl': _none, ...files } = GREEN
  const { verdict, written, file } = await refresh(files, { FAKE_REFUSES: 'no' })
  expect(verdict.status).toBe('failed')
  expect(written).toEqual([])
  expect(existsSync(file)).toBe(false)
})
