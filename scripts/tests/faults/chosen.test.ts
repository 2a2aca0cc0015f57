import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { CHOSEN } from '../../faults/chosen/index.mjs'
import { GUARDS } from '../../faults/guards.mjs'
import { patchedSources } from '../../faults/patch.mjs'
import { readSource } from '../../faults/tree.mjs'
import { scenarioNames } from '../../faults/workshop.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const SNAPSHOTS = join(root, 'examples/acp-agent/tests/snapshots')

describe('the chosen faults', () => {
  it('are enough, and have names of their own', () => {
    expect(CHOSEN.length).toBeGreaterThanOrEqual(30)
    expect(new Set(CHOSEN.map(({ name }) => name)).size).toBe(CHOSEN.length)
  })

  it.each(CHOSEN.map((fault) => [fault.name, fault] as const))(
    '%s: fits the sources',
    (_, fault) => {
      const texts = patchedSources(fault, (file) => readSource(root, fault.package, file))
      for (const [file, text] of texts) {
        expect(text).not.toBe(readSource(root, fault.package, file))
        transformSync(text, { loader: 'ts' })
      }
      expect(fault.expect?.length).toBeGreaterThan(0)
    },
  )

  it('name scenarios and known verdicts that there are', () => {
    const guards = new Set(GUARDS.map(({ name }) => name))
    const scenarios = new Set(scenarioNames(SNAPSHOTS))
    for (const fault of CHOSEN) {
      for (const name of fault.guards ?? []) expect(guards).toContain(name)
      for (const name of fault.scenarios ?? []) expect(scenarios).toContain(name)
    }
  })
})

describe('the known verdicts', () => {
  it.each(GUARDS.map((guard) => [guard.name, guard] as const))('%s: can be made', (_, guard) => {
    const dir = mkdtempSync(join(tmpdir(), 'dsh-guard-'))
    try {
      cpSync(join(SNAPSHOTS, guard.scenario), dir, { recursive: true })
      guard.doctor?.(dir)
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
    const agents = CHOSEN.map(({ name }) => name)
    if (guard.agent !== undefined) expect(agents).toContain(guard.agent)
    expect(guard.doctor ?? guard.agent).toBeDefined()
  })
})
