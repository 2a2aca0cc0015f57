import type { RunFault } from '../run/types.ts'
import type { Finding } from './types.ts'

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
    case 'log-differs':
    case 'stdout-differs':
      return finding.difference.path === '' && finding.difference.actual === undefined
    // The header is read from a log.
    case 'header-differs':
      return noLog
    default:
      return false
  }
}
