import type { RunFault } from '../run/types.ts'
import type { ScenarioSource } from '../scenario/types.ts'
import { isRefusal } from './refusals.ts'
import type { Finding, RefusalFinding, Verdict } from './types.ts'

/** What no other fixture makes green. */
export const REPAIRS: readonly Finding['kind'][] = [
  'fault',
  'report-incomplete',
  'report-differs',
  'log-unreadable',
  'line-form',
]

/** What an agent does that was refused a model call; then the refusal is what there is to act on. */
const AFTER_A_REFUSAL: ReadonlySet<RunFault['kind'] | Finding['kind']> = new Set([
  'step-failed',
  'agent-exited',
  'timeout',
  'report-incomplete',
])

/** Refused by a setting or for a fault of the agent, which no recording would mend. */
const NO_RECORDING: ReadonlySet<string> = new Set([
  'UNRECORDED_PURPOSE',
  'TOOL_NOT_OFFERED',
  'TOOL_REFUSED',
])

/** Events of which the model gets to see something. */
const SHOWN: ReadonlySet<string | undefined> = new Set([
  'user/message',
  'steering/message',
  'tool/result',
  'request/header',
  'request/header-delta',
])

/** Where the logs change, the requests that they imply change with them. */
const LOGS: readonly Finding['kind'][] = ['log-differs', 'log-missing', 'log-extra']

/** What makes these findings go away, if the new behaviour is wanted. */
export function remedyFor(
  findings: readonly Finding[],
  source: ScenarioSource,
): Pick<Verdict, 'remedy' | 'alternative'> {
  const refused = findings.filter(isRefusal)
  if (findings.some((finding) => needsRepair(finding, refused.length > 0))) return { remedy: 'fix' }
  if (refused.length > 0 || findings.some(({ kind }) => kind === 'leftover')) {
    return { remedy: source === 'authored' ? 'by-hand' : 'record' }
  }
  const kinds = findings.map(({ kind }) => kind)
  if (kinds.includes('request-drift') && !LOGS.some((kind) => kinds.includes(kind))) {
    return { remedy: 'requests' }
  }
  const asks = source !== 'authored' && findings.some(isShown)
  return { remedy: 'refresh', ...(asks && { alternative: 'record' }) }
}

function needsRepair(finding: Finding, refused: boolean): boolean {
  if (isRefusal(finding)) return isForNoRecording(finding)
  if (!REPAIRS.includes(finding.kind)) return false
  return !(
    refused && AFTER_A_REFUSAL.has(finding.kind === 'fault' ? finding.fault.kind : finding.kind)
  )
}

/** Two sessions in one place stay so in every recording. */
function isForNoRecording({ kind, code }: RefusalFinding): boolean {
  return kind === 'wrong-lane' || (code !== undefined && NO_RECORDING.has(code))
}

function isShown(finding: Finding): boolean {
  switch (finding.kind) {
    case 'header-differs':
      return true
    case 'log-differs':
      return SHOWN.has(finding.difference.eventType)
    default:
      return false
  }
}
