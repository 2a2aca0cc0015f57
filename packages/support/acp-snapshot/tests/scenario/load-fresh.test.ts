import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadScenario } from '../../src/scenario/load.ts'
import type { Invocation } from '../../src/verdict/types.ts'
import { tempTree } from '../temp.ts'

const input = { steps: [{ op: 'initialize' }] }

it('says how a scenario is recorded that never was', async () => {
  const fresh = (source: string, invocation?: Invocation) => {
    const root = tempTree({
      'one/input.json': JSON.stringify({ ...input, source }),
      ...(source === 'wire' && { 'one/wire.json': '{"rules":[]}' }),
    })
    const loading = loadScenario(join(root, 'one'), invocation === undefined ? {} : { invocation })
    return loading.catch((error: unknown) => (error as Error).message)
  }
  expect(await fresh('wire', (mode, names) => `go ${mode} ${names.join()}`)).toMatch(
    /session.jsonl is missing; record the scenario: go record one$/,
  )
  expect(await fresh('api')).toMatch(/session.jsonl is missing; record the scenario$/)
})
