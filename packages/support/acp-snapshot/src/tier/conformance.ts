import { conformanceVariable } from '../run/environment.ts'
import { loadScenario } from '../scenario/load.ts'
import { compareRecording } from '../verdict/conformance.ts'
import { readExpected } from '../verdict/expected.ts'
import { judge, wasInterrupted } from '../verdict/judge.ts'
import { REPAIRS } from '../verdict/remedy.ts'
import type { Finding, Verdict } from '../verdict/types.ts'
import { capture } from './capture.ts'
import type { TierOptions } from './types.ts'

/** What is compared by the rule for recordings instead: those hold no transcript of ours. */
const OUTPUTS: ReadonlySet<Finding['kind']> = new Set([
  'log-differs',
  'log-missing',
  'log-extra',
  'stdout-differs',
  'stdout-missing',
  'header-differs',
])

/**
 * Replays a scenario that another program recorded and compares what our agent writes, event for
 * event, with the recording.
 * @throws SnapshotError for a folder that cannot be read.
 */
export async function conform(dir: string, options: TierOptions): Promise<Verdict> {
  const scenario = await loadScenario(dir, { purpose: 'conformance' })
  const recorded = await readExpected(scenario)
  const { agent } = options
  const result = await capture(scenario, 'replay', {
    ...options,
    agent: { ...agent, env: { [conformanceVariable]: '1', ...agent.env } },
  })
  const judged = judge(scenario, recorded, result)
  const findings = [
    ...judged.findings.filter(({ kind }) => !OUTPUTS.has(kind)),
    ...compareRecording(recorded.logs, result),
  ]
  const { remedy: _none, alternative: _nor, runDir: _dir, ...rest } = judged
  if (findings.length === 0) {
    await result.dispose()
    return { ...rest, status: 'passed', findings }
  }
  const keep = options.keepFailed !== false && !wasInterrupted(result)
  if (!keep) await result.dispose()
  return {
    ...rest,
    status: 'failed',
    remedy: findings.some(({ kind }) => REPAIRS.includes(kind)) ? 'fix' : 'agent',
    findings,
    ...(keep && { runDir: result.folder.dir }),
  }
}
