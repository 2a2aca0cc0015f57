import { endsThere, withoutCutOff } from './cut-short.ts'
import { isRefusal } from './refusals.ts'
import type { Difference, Finding, LaneSummary, Verdict } from './types.ts'
import { whyOf } from './why.ts'

/** A difference and the file of the scenario in which it lies. */
export interface FileDifference extends Difference {
  readonly file: string
}

/** Where a person has to look first. */
export interface Cause {
  readonly kind: Finding['kind']
  /** One sentence. */
  readonly why: string
  /** The lane of the first finding; of a run that ended early, the lane of its last answered call. */
  readonly lane?: LaneSummary
  /** In that lane, from 1. */
  readonly call?: number
  /** The first finding's own, else the one that lies nearest to it; never that a run was cut short. */
  readonly difference?: FileDifference
  /** Of a run that was cut short behind a model call: what the client was to hear next. */
  readonly next?: FileDifference
}

/** What the first finding of a red verdict is about. Undefined for a green one. */
export function causeOf(verdict: Verdict): Cause | undefined {
  const { findings, lanes } = verdict
  const [first] = findings
  if (first === undefined) return undefined
  const own = laneOf(first, verdict)
  const difference = differenceOf(first) ?? nearest(withoutCutOff(findings), lanes, own)
  // A session without a lane is told by the lane whose log shows it first.
  const lane = own ?? lanes.find(({ file }) => file === difference?.file)
  const call = callOf(first, verdict, lane)
  const next = nextOf(verdict)
  return {
    kind: first.kind,
    why: whyOf(first, lane),
    ...(lane !== undefined && { lane }),
    ...(call !== undefined && { call }),
    ...(difference !== undefined && { difference }),
    ...(next !== undefined && { next }),
  }
}

function nextOf({ findings, lastCall }: Verdict): FileDifference | undefined {
  if (lastCall === undefined) return undefined
  const telling = withoutCutOff(findings)
  const heard = findings.find(
    (finding) =>
      finding.kind === 'stdout-differs' &&
      !telling.includes(finding) &&
      endsThere(finding.difference),
  )
  return heard && differenceOf(heard)
}

function laneOf(finding: Finding, { lanes, lastCall }: Verdict): LaneSummary | undefined {
  if ('lane' in finding) return lanes.find(({ lane }) => lane === finding.lane)
  if (isRefusal(finding)) return undefined
  if ('file' in finding) {
    const named = lanes.find(({ file }) => file === finding.file)
    if (named !== undefined || finding.kind === 'log-missing') return named
  }
  // Pinned files show the first request of the primary; other findings are of the run as a whole.
  if (finding.kind === 'header-differs') return lanes[0]
  return lanes.find(({ lane }) => lane === (lanes.length === 1 ? lanes[0]?.lane : lastCall?.lane))
}

function callOf(
  finding: Finding,
  { lastCall }: Verdict,
  lane: LaneSummary | undefined,
): number | undefined {
  switch (finding.kind) {
    case 'leftover':
      return finding.served + 1
    case 'fault':
      return lane !== undefined && lastCall?.lane === lane.lane ? lastCall.call : undefined
    case 'header-differs':
      return 1
    default:
      if ('call' in finding) return finding.call
      return differenceOf(finding)?.call
  }
}

function differenceOf(finding: Finding): FileDifference | undefined {
  if (!('difference' in finding)) return undefined
  return { file: finding.file, ...finding.difference }
}

/**
 * Where what was said and written parts first, seen from a lane: in its own log, in that of a session
 * which stands elsewhere in the tree, in those above the lane, in any log, at last in what the client
 * heard.
 */
function nearest(
  findings: readonly Finding[],
  lanes: readonly LaneSummary[],
  lane: LaneSummary | undefined,
): FileDifference | undefined {
  const all = findings.flatMap((finding) => differenceOf(finding) ?? [])
  const logs = all.filter(({ file }) => lanes.some((known) => known.file === file))
  const [own, ...above] = filesAbove(lane, lanes).map((file) =>
    logs.find((difference) => difference.file === file),
  )
  const elsewhere = logs.find(({ line }) => line === 1)
  return own ?? elsewhere ?? above.find((found) => found !== undefined) ?? logs[0] ?? all[0]
}

/** The log of a lane, then those of its parents. */
function filesAbove(lane: LaneSummary | undefined, lanes: readonly LaneSummary[]): string[] {
  if (lane === undefined) return []
  const files = [lane.file]
  const parts = (lane.lineage ?? '').split('/')
  for (let depth = parts.length - 1; depth > 0; depth -= 1) {
    const lineage = parts.slice(0, depth).join('/')
    files.push(...lanes.filter((other) => other.lineage === lineage).map(({ file }) => file))
  }
  return files
}
