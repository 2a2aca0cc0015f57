import type { RefusalCode, ReportRecord } from 'dsh-llm-replay'
import type { Finding, RefusalFinding, RefusalKind } from './types.ts'

type Refused = Extract<ReportRecord, { event: 'refused' }>

/** By key, so that a code of replay cannot lack its kind. */
const KINDS = {
  SCRIPT_EXHAUSTED: 'extra-call',
  UNRECORDED_SESSION: 'unrecorded-session',
  LANE_TAKEN: 'wrong-lane',
  UNRECORDED_RETRY: 'unrecorded-retry',
  MISSING_RETRY: 'missing-retry',
  LANE_POISONED: 'poisoned',
  UNRECORDED_PURPOSE: 'refused',
  TOOL_NOT_OFFERED: 'refused',
  TOOL_REFUSED: 'refused',
  TOOL_NOT_RECORDED: 'refused',
  TOOL_ARGUMENTS_DIFFER: 'refused',
} as const satisfies Record<RefusalCode, RefusalKind>

const ALL: ReadonlySet<Finding['kind']> = new Set<RefusalKind>(Object.values(KINDS))

export function isRefusal(finding: Finding): finding is RefusalFinding {
  return ALL.has(finding.kind)
}

/** What a report says was refused: the causes in its order, and apart what only follows from them. */
export class Refusals {
  readonly causes: RefusalFinding[] = []
  private readonly poisoned = new Map<string, RefusalFinding & { calls: number }>()

  add({ code, message, lane, call, session }: Refused): void {
    const where = { ...(lane !== undefined && { lane }), ...(call !== undefined && { call }) }
    const finding = { kind: KINDS[code], code, message, ...where }
    if (finding.kind !== 'poisoned') {
      this.causes.push(finding)
      return
    }
    // One lane may be asked for ever by an agent that does not give up.
    const key = JSON.stringify(lane ?? [session])
    const known = this.poisoned.get(key)
    if (known === undefined) this.poisoned.set(key, { ...finding, calls: 1 })
    else known.calls += 1
  }

  /** Adds what the report as a whole says. */
  found(cause: RefusalFinding | undefined): void {
    if (cause !== undefined) this.causes.push(cause)
  }

  get consequences(): RefusalFinding[] {
    return [...this.poisoned.values()]
  }
}
