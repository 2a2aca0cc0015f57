import type { ExpectedLane } from '../scenario/lanes.ts'
import type { Finding } from './types.ts'

type Differs = Extract<Finding, { kind: 'log-differs' }>

/**
 * Puts differences in the order in which they tell something: a log that is missing or too many; the
 * request header where people can read it, before the log that holds it too; a child's log before that
 * of its parent where the parent's parts at what the child gave back; the transcript last.
 */
export function orderDifferences(
  findings: readonly Finding[],
  lanes: readonly ExpectedLane[],
): Finding[] {
  const lineageOf = (file: string) => lanes.find((lane) => lane.file === file)?.lineage
  const parted = findings.flatMap((finding) =>
    finding.kind === 'log-differs' ? [lineageOf(finding.file)] : [],
  )
  const rank = (finding: Finding): number => {
    switch (finding.kind) {
      case 'header-differs':
        return 1
      case 'log-differs':
        return followsChild(finding, lineageOf(finding.file), parted) ? 3 : 2
      case 'stdout-differs':
      case 'stdout-missing':
        return 4
      default:
        return 0
    }
  }
  return [...findings].sort((a, b) => rank(a) - rank(b))
}

/** Whether a log parts at a result of the step in which a child was started whose log parts too. */
function followsChild(
  { difference }: Differs,
  lineage: string | undefined,
  parted: readonly (string | undefined)[],
): boolean {
  const { eventType, turn, step } = difference
  if (lineage === undefined || eventType !== 'tool/result') return false
  const children = `${lineage}/${turn}.${step}.`
  return parted.some((other) => other?.startsWith(children) === true)
}
