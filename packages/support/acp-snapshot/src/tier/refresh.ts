import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { STDOUT_FILE } from '../scenario/files.ts'
import type { Scenario } from '../scenario/types.ts'
import type { Finding } from '../verdict/types.ts'
import { replayScenario } from './replay.ts'
import type { ReplayOutcome, TierOptions } from './types.ts'

export interface RefreshOutcome extends ReplayOutcome {
  /** Names of the files that were written; empty when the scenario was up to date or is red. */
  readonly written: readonly string[]
}

/** What a refresh may overwrite: outputs that differ. Everything else is a fault to look at. */
const REWRITABLE: ReadonlySet<Finding['kind']> = new Set(['stdout-missing', 'stdout-differs'])

/**
 * Rewrites what the current code says, with the model answers as recorded. Writes only where replay
 * itself found nothing wrong; otherwise the verdict says what is.
 */
export async function refreshScenario(
  scenario: Scenario,
  options: TierOptions,
): Promise<RefreshOutcome> {
  const outcome = await replayScenario(scenario, { ...options, keepFailed: false })
  const { verdict, normal } = outcome
  const findings = verdict.findings.filter(({ kind }) => !REWRITABLE.has(kind))
  if (findings.length > 0) return { ...outcome, written: [] }
  const written: string[] = []
  if (verdict.findings.length > 0) {
    const text = normal.stdout.map((line) => `${line}\n`).join('')
    await writeFile(join(scenario.dir, STDOUT_FILE), text)
    written.push(STDOUT_FILE)
  }
  return { verdict: { ...verdict, status: 'passed', findings: [] }, normal, written }
}
