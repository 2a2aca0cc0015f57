import type { RunFault } from '../run/types.ts'
import type { Difference, Finding } from './types.ts'

/** After which faults the agent had no chance to say and write the rest, nor to close its report. */
export const ENDED_EARLY: Readonly<Record<RunFault['kind'], boolean>> = {
  'agent-exited': true,
  'agent-not-started': true,
  timeout: true,
  interrupted: true,
  'output-too-large': true,
  'report-unreadable': true,
  'step-failed': false,
  'protocol-line': false,
  'descendants-left': false,
  'harvest-failed': false,
}

/**
 * Findings apart from those which only say that a run was cut short: what it would have gone on to
 * call, say and write is not there. None of them tells why.
 */
export function withoutCutOff(findings: readonly Finding[]): Finding[] {
  const [first] = findings
  if (first?.kind !== 'fault' || !ENDED_EARLY[first.fault.kind]) return [...findings]
  const noLog = findings.some(({ kind }) => kind === 'log-missing')
  return findings.filter((finding) => !isCutOff(finding, noLog))
}

function isCutOff(finding: Finding, noLog: boolean): boolean {
  switch (finding.kind) {
    case 'leftover':
    case 'log-missing':
    case 'report-incomplete':
      return true
    // With the log of a parent missing, a child's stands in its place, and sessions are numbered anew.
    case 'log-differs':
      return endsThere(finding.difference) || (noLog && finding.difference.line === 1)
    case 'stdout-differs':
      return endsThere(finding.difference) || (noLog && OF_A_SESSION.test(finding.difference.path))
    // The header is read from a log.
    case 'header-differs':
      return noLog
    default:
      return false
  }
}

const OF_A_SESSION = /(?:^|\.)sessionId$/

/** Whether one side merely ends where the other goes on. */
export function endsThere({ path, actual }: Difference): boolean {
  return path === '' && actual === undefined
}
