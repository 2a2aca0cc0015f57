import { basename } from 'node:path'
import type { CallPosition } from 'dsh-llm-replay'
import { formatLineage } from 'dsh-session'
import { scenarioScripts } from './scripts.ts'
import type { Scenario } from './types.ts'

/** A lane as replay has to load it: what its report is checked against. */
export interface ExpectedLane {
  /** The name of its log. */
  readonly file: string
  /** How many model calls it holds. */
  readonly calls: number
  readonly lineage?: string
  /** Which calls, from 1, were made within the step of the call before: its retries. */
  readonly retries?: readonly number[]
}

/**
 * The lanes of a scenario, by number. None where it has no logs yet.
 * @throws SnapshotError `BAD_FIXTURE` where replay could not load it either
 */
export function expectedLanes(scenario: Scenario): ExpectedLane[] {
  return scenarioScripts(scenario).map(({ file, entries, lineage, positions }) => {
    const retries = retriesAmong(positions)
    return {
      file: basename(file),
      calls: entries.length,
      ...(lineage !== undefined && { lineage: formatLineage(lineage) }),
      ...(retries.length > 0 && { retries }),
    }
  })
}

function retriesAmong(positions: readonly CallPosition[]): number[] {
  return positions.flatMap(({ turn, step }, index) => {
    const before = positions[index - 1]
    return before?.turn === turn && before.step === step ? [index + 1] : []
  })
}
