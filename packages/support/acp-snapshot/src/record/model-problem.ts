import type { WireEnd } from './wire-process.ts'

/**
 * What the embedded model found wrong with a recording, or undefined. What it refused and what
 * nobody asked for are both faults of the script or of the agent, and neither may be committed.
 */
export function modelProblem(end: WireEnd): string | undefined {
  if ('failure' in end) return `the embedded model failed: ${end.failure}`
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
    ...unused.map(
      ({ rule, name, used, times }) =>
        `rule ${rule}${name === undefined ? '' : ` "${name}"`} answered ${used} of ${times} requests`,
    ),
  ]
  return lines.length === 0 ? undefined : `the embedded model reports: ${lines.join('; ')}`
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
