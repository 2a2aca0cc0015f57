import { recordingFacts } from '../normalise/recording.ts'
import type { Scenario } from '../scenario/types.ts'
import { readExpected } from '../verdict/expected.ts'
import { judge } from '../verdict/judge.ts'
import { normaliseRun } from '../verdict/normal-run.ts'
import { capture } from './capture.ts'
import { withDefaults } from './defaults.ts'
import { addToKept } from './keep.ts'
import type { ReplayOutcome, TierOptions } from './types.ts'

/**
 * Replays one scenario against a fresh agent process and judges it. Writes nothing; the run's folder
 * is removed unless the verdict is red and it is to be kept. A kept folder also holds the outputs in
 * normal form (`normal`), and the verdict for programs (`verdict.json`).
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
  const pinned = scenario.pinnedHeader !== undefined
  const normal = normaliseRun(result, {
    rules,
    pinHeader: pinned,
    recordedSessionIds: recordingFacts(expected.logs.map((log) => log.text)).sessionIds,
  })
  const { runDir } = verdict
  if (runDir !== undefined && options.keepFailed !== false) {
    const kept = await addToKept({ ...verdict, runDir }, normal, pinned, options.invocation)
    return { verdict: kept, normal }
  }
  await result.dispose()
  const { runDir: _gone, ...rest } = verdict
  return { verdict: rest, normal }
}
