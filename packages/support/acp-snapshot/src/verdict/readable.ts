import { sessionToken } from '../normalise/tokens.ts'
import type { Scenario } from '../scenario/types.ts'
import type { NormalRun } from './normal-run.ts'
import type { Finding } from './types.ts'

/** Shorter ids are parts of too many other words. */
const TELLING = 8

/**
 * A finding in the names that people know: what a message says of the live session ids and of the
 * scenario's files is said by token and by file name, the same in every run.
 */
export function readable(finding: Finding, { dir }: Scenario, { sessionIds }: NormalRun): Finding {
  const named = (text: string): string => {
    let out = text.replaceAll(`${dir}/`, '')
    for (const [number, id] of sessionIds.entries()) {
      if (id.length >= TELLING) out = out.replaceAll(id, sessionToken(number))
    }
    return out
  }
  if ('message' in finding) return { ...finding, message: named(finding.message) }
  if (finding.kind !== 'fault' || !('message' in finding.fault)) return finding
  return { ...finding, fault: { ...finding.fault, message: named(finding.fault.message) } }
}
