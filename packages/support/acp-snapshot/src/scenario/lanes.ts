import { basename } from 'node:path'
import { type FixtureFiles, loadSessionScripts } from 'dsh-llm-replay'
import { formatLineage } from 'dsh-session'
import type { Scenario } from './types.ts'

/** What replay is given of a scenario. */
export function fixtureFiles(
  scenario: Pick<Scenario, 'logFiles' | 'overrideFile'>,
): FixtureFiles | undefined {
  const { logFiles, overrideFile } = scenario
  const [file, ...childFiles] = logFiles
  if (file === undefined) return undefined
  return { file, childFiles, ...(overrideFile !== undefined && { overrideFile }) }
}

/** A lane as replay has to load it: what its report is checked against. */
export interface ExpectedLane {
  /** The name of its log. */
  readonly file: string
  /** How many model calls it holds. */
  readonly calls: number
  readonly lineage?: string
}

/**
 * The lanes of a scenario, by number. None where it has no logs yet.
 * @throws ReplayError where replay could not load it either
 */
export function expectedLanes(
  scenario: Pick<Scenario, 'logFiles' | 'overrideFile'>,
): ExpectedLane[] {
  const files = fixtureFiles(scenario)
  if (files === undefined) return []
  return loadSessionScripts(files).map(({ file, entries, lineage }) => ({
    file: basename(file),
    calls: entries.length,
    ...(lineage !== undefined && { lineage: formatLineage(lineage) }),
  }))
}
