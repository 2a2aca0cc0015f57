import { recordingFacts } from '../normalise/recording.ts'
import type { Scenario } from '../scenario/types.ts'
import { readExpected } from '../verdict/expected.ts'
import { judge } from '../verdict/judge.ts'
import { normaliseRun } from '../verdict/normal-run.ts'
import { capture } from './capture.ts'
import { withDefaults } from './defaults.ts'
import type { ReplayOutcome, TierOptions } from './types.ts'

/**
 * Replays one scenario against a fresh agent process and judges it. Writes nothing; the run's folder
 * is removed unless the verdict is red and it is to be kept.
 * @throws SnapshotError for a scenario that cannot be read; what the harness itself cannot do.
 */
export async function replayScenario(
  given: Scenario,
  options: TierOptions,
): Promise<ReplayOutcome> {
  const scenario = withDefaults(given, options)
  const { normalise: rules = [] } = options
  const expected = await readExpected(scenario)
  const result = await capture(scenario, 'replay', options)
  const verdict = judge(scenario, expected, result, rules)
  const normal = normaliseRun(result, {
    rules,
    pinHeader: scenario.pinnedHeader !== undefined,
    recordedSessionIds: recordingFacts(expected.logs.map((log) => log.text)).sessionIds,
  })
  if (verdict.status === 'failed' && options.keepFailed !== false) return { verdict, normal }
  await result.dispose()
  const { runDir: _gone, ...rest } = verdict
  return { verdict: rest, normal }
}
