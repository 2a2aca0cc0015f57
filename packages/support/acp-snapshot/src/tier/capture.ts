import { harvest } from '../harvest/harvest.ts'
import { runScenario } from '../run/run-scenario.ts'
import type { RunFault, RunResult, SnapshotMode } from '../run/types.ts'
import type { Scenario } from '../scenario/types.ts'
import { findHangPoints } from './hang-points.ts'
import type { TierOptions } from './types.ts'

/** Runs a scenario and collects its logs; what the harvest could not take is among the faults. */
export async function capture(
  scenario: Scenario,
  mode: SnapshotMode,
  options: TierOptions,
): Promise<RunResult> {
  const { agent, timeoutMs, tempRoot, signal } = options
  const problems: RunFault[] = []
  const result = await runScenario(
    {
      scenario,
      agent,
      mode,
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(tempRoot !== undefined && { tempRoot }),
      ...(signal !== undefined && { signal }),
    },
    {
      harvest: async (root) => {
        const found = await harvest(root)
        problems.push(
          ...found.problems.map((problem): RunFault => ({ kind: 'harvest-problem', ...problem })),
        )
        return found.sessions
      },
      hangPoints: findHangPoints,
    },
  )
  return { ...result, faults: [...result.faults, ...problems] }
}
