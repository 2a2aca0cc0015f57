import type { WireUnused } from 'dsh-llm-wire'
import { WIRE_FILE } from '../scenario/files.ts'
import type { Verdict } from '../verdict/types.ts'
import type { WireEnd } from './wire-process.ts'

/**
 * What the embedded model found wrong with a recording, in one text. What it refused and what
 * nobody asked for are both faults of the script or of the agent, and neither may be committed.
 */
export function modelProblems(end: WireEnd): string[] {
  if ('failure' in end) return [`the embedded model failed: ${end.failure}`]
  const { refused, unused } = end.report
  const before = new Set(refused.map(({ request }) => request))
  const lines = [
    // An agent that retries asks for the same again; that is told once.
    ...refused
      .filter(({ retryOf }) => retryOf === undefined || !before.has(retryOf))
      .map(
        ({ request, code, message }) =>
          `refused request${request === undefined ? '' : ` #${request}`} (${code}): ${message}`,
      ),
    ...unused.map(unusedText),
  ]
  return lines.length === 0 ? [] : [`the embedded model reports: ${lines.join('; ')}`]
}

function unusedText({ rule, name, when, used, times }: WireUnused): string {
  const what = name === undefined ? '' : ` "${name}"`
  return (
    `rule ${rule}${what} of ${WIRE_FILE} (counted from 0), when ${JSON.stringify(when)}, ` +
    `answered ${used} of ${times} requests: take it out, or find out why nothing asks for it`
  )
}

/** Why a run went wrong in which the embedded model answered: what it has to do with that, and the rest. */
export interface Blame {
  readonly problems: readonly string[]
  /** Absent where the model's own words say it all. */
  readonly verdict?: Verdict
}

/**
 * What a failed run is told by, each cause once. A turn that was refused an answer fails its step, and
 * a run that breaks off leaves rules that nobody asks for: neither says more than its cause.
 */
export function blameFor(end: WireEnd | undefined, verdict: Verdict): Blame {
  if (end === undefined) return { problems: [], verdict }
  const problems = modelProblems(end)
  if ('failure' in end) return { problems, verdict }
  if (end.report.refused.length === 0) return { problems: [], verdict }
  const follows = verdict.findings.every(
    (finding) => finding.kind === 'fault' && finding.fault.kind === 'step-failed',
  )
  return { problems, ...(!follows && { verdict: { ...verdict, remedy: 'script' } }) }
}

/**
 * Every request that was answered must stand in the logs as a call, or its answer would be lost to
 * replay. `calls` is what replay made of the logs; it may be more, since a call that was aborted on
 * its way out reached no model.
 */
export function lostCalls(end: WireEnd, calls: number): string | undefined {
  if ('failure' in end || end.report.served.length <= calls) return undefined
  return (
    `the embedded model answered ${end.report.served.length} calls, but the logs replay ${calls}; ` +
    'an agent that does not log what ended a failed call (llm/failure) needs a sidecar for it ' +
    '(replay.override.json)'
  )
}
