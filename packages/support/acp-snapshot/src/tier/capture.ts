import { harvestSessionLogs } from '../harvest/harvest.ts'
import { runScenario } from '../run/run-scenario.ts'
import type { RunDependencies, RunResult, SnapshotMode } from '../run/types.ts'
import type { Scenario } from '../scenario/types.ts'
import { findHangPoints } from './hang-points.ts'
import type { TierOptions } from './types.ts'

/** Runs a scenario and collects its logs. */
export function capture(
  scenario: Scenario,
  mode: SnapshotMode,
  options: TierOptions,
  dependencies: Pick<RunDependencies, 'model' | 'hostEnv'> = {},
): Promise<RunResult> {
  const { agent, timeoutMs, tempRoot, signal, normalise } = options
  return runScenario(
    {
      scenario,
      agent,
      mode,
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(tempRoot !== undefined && { tempRoot }),
      ...(signal !== undefined && { signal }),
      ...(normalise !== undefined && { rules: normalise }),
    },
    {
      harvest: harvestSessionLogs,
      hangPoints: findHangPoints,
      ...dependencies,
    },
  )
}
