import { describeFault } from './fault-text.ts'
import { excerpts, oneLine } from './excerpt.ts'
import { DEFAULT_INVOCATION, invocationOf } from './invocation.ts'
import type { Difference, Finding, LaneSummary, RefusalFinding, Verdict } from './types.ts'

export interface RenderOptions {
  /** No line is longer. Default 110. */
  readonly width?: number
  /** How the tier is called in this project (`invocationOf`). Default `pnpm run test:snapshot`. */
  readonly command?: string
}

/** No report is longer: it is read on one screen, beside others. */
const MOST_LINES = 25
const MOST_FURTHER = 8
/** Characters of the one fault that is told in full. */
const MOST_FAULT = 600

/** A verdict for people: one line when green, at most 25 when red. */
export function renderVerdict(verdict: Verdict, options: RenderOptions = {}): string {
  const width = options.width ?? 110
  const [first, ...others] = verdict.findings
  if (first === undefined) return oneLine(greenLine(verdict), width)
  const rows: [string, string][] = [
    ...describe(first, verdict.lanes, width - LABEL),
    ...further(others),
    ...stderrRows(verdict),
    ['accept', remedyText(verdict, options.command ?? DEFAULT_INVOCATION)],
    ...(verdict.runDir === undefined ? [] : [['run', verdict.runDir] satisfies [string, string]]),
  ]
  const lines = [
    `✗ ${verdict.scenario}: ${first.kind} (${count(verdict.findings.length, 'finding')})`,
    ...rows.map(([label, text]) => `  ${label.padEnd(LABEL - 2)}${text}`),
  ]
  return lines
    .slice(0, MOST_LINES)
    .map((line) => oneLine(line, width))
    .join('\n')
}

const LABEL = 12

/** A verdict for programs: one JSON text, the finding kinds as in `Finding`. */
export function verdictJson(verdict: Verdict): string {
  return JSON.stringify(verdict)
}

function greenLine(verdict: Verdict): string {
  const calls = verdict.lanes.reduce((sum, lane) => sum + lane.served, 0)
  const what = [
    count(verdict.lanes.length, 'lane'),
    count(calls, 'call'),
    `${count(verdict.logsCompared, 'log')} compared`,
    `${Math.round(verdict.durationMs)} ms`,
  ]
  return `✓ ${verdict.scenario}: ${what.join(', ')}`
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

function describe(
  finding: Finding,
  lanes: readonly LaneSummary[],
  width: number,
): [string, string][] {
  switch (finding.kind) {
    case 'fault':
      return wrapped('fault', describeFault(finding.fault), width)
    case 'extra-call':
    case 'unrecorded-session':
    case 'wrong-lane':
    case 'unrecorded-retry':
    case 'missing-retry':
    case 'poisoned':
    case 'refused':
      return [
        ...laneRows(lanes.find((lane) => lane.lane === finding.lane)),
        ...callRows(finding.call),
        ['refused', refusalText(finding)],
      ]
    case 'leftover': {
      const { served, left } = finding
      return [
        ...laneRows(lanes.find((lane) => lane.lane === finding.lane)),
        ['leftover', `${count(served, 'call')} served, ${left} recorded but never made`],
      ]
    }
    case 'report-incomplete':
    case 'report-differs':
      return [['report', finding.message]]
    case 'line-form':
      return [
        ['file', `${finding.file}:${finding.line}`],
        ['form', finding.message],
      ]
    case 'log-missing':
      return [...laneRows(laneOf(finding.file, lanes)), ['missing', `no log for ${finding.file}`]]
    case 'log-extra':
      return [['extra', `${finding.session} has a log that was not recorded: ${finding.path}`]]
    case 'log-unreadable':
      return [['log', finding.message]]
    case 'stdout-missing':
      return [['missing', `${finding.file} is not committed yet`]]
    case 'log-differs':
    case 'stdout-differs':
    case 'header-differs':
      return [
        ...laneRows(laneOf(finding.file, lanes)),
        ...differenceRows(finding.file, finding.difference, width),
      ]
  }
}

function refusalText({ code, calls, message }: RefusalFinding): string {
  const times = calls === undefined ? '' : ` (${count(calls, 'call')})`
  return code === undefined ? message : `${code}${times}: ${message}`
}

/** A long text in several rows, cut between words where it can be. */
function wrapped(label: string, text: string, width: number): [string, string][] {
  const flat = oneLine(text, MOST_FAULT)
  const parts = flat.match(new RegExp(`.{1,${width}}(?= |$)|.{1,${width}}`, 'gu')) as string[]
  return parts.map((part, index) => [index === 0 ? label : '', part.trim()])
}

function laneOf(file: string, lanes: readonly LaneSummary[]): LaneSummary | undefined {
  return lanes.find((lane) => lane.file === file)
}

function laneRows(lane: LaneSummary | undefined): [string, string][] {
  if (lane === undefined) return []
  const lineage = lane.lineage === undefined ? '' : `, lineage ${lane.lineage}`
  return [
    ['lane', `${lane.lane} (${lane.file}${lineage})`],
    ['bound by', lane.boundBy],
  ]
}

function callRows(call: number | undefined): [string, string][] {
  return call === undefined ? [] : [['call', String(call)]]
}

function differenceRows(file: string, difference: Difference, width: number): [string, string][] {
  const { line, path, eventType } = difference
  const [expected, actual] = excerpts(difference.expected, difference.actual, width)
  return [
    ...callRows(difference.call),
    ['file', `${file}:${line}${eventType === undefined ? '' : ` (${eventType})`}`],
    ['path', path === '' ? '(the whole line)' : path],
    ['expected', expected],
    ['actual', actual],
  ]
}

function further(findings: readonly Finding[]): [string, string][] {
  const rows = findings.slice(0, MOST_FURTHER).map((finding): [string, string] => {
    return ['also', `${finding.kind}: ${summary(finding)}`]
  })
  const hidden = findings.length - rows.length
  return hidden > 0 ? [...rows, ['also', `${hidden} more`]] : rows
}

function summary(finding: Finding): string {
  switch (finding.kind) {
    case 'fault':
      return describeFault(finding.fault)
    case 'extra-call':
    case 'unrecorded-session':
    case 'wrong-lane':
    case 'unrecorded-retry':
    case 'missing-retry':
    case 'poisoned':
    case 'refused':
      return finding.message
    case 'leftover':
      return `${finding.left} in ${finding.file}`
    case 'log-extra':
      return finding.path
    case 'report-incomplete':
    case 'report-differs':
    case 'log-unreadable':
      return finding.message
    case 'line-form':
      return `${finding.file}:${finding.line} ${finding.message}`
    case 'log-missing':
    case 'stdout-missing':
      return finding.file
    case 'log-differs':
    case 'stdout-differs':
    case 'header-differs':
      return `${finding.file}:${finding.difference.line} ${finding.difference.path}`
  }
}

/** The end of stderr is where a crash says why. */
function stderrRows(verdict: Verdict): [string, string][] {
  const lines = verdict.stderrTail.split('\n').filter((line) => line.trim() !== '')
  return lines.slice(-3).map((line) => ['stderr', line])
}

function remedyText({ scenario, remedy }: Verdict, command: string): string {
  switch (remedy ?? 'fix') {
    case 'refresh':
      return invocationOf(command, 'refresh', scenario)
    case 'record':
      return `${invocationOf(command, 'record', scenario)} (re-record: other model calls than recorded)`
    case 'by-hand':
      return 'edit the logs or the override by hand: an authored scenario is never recorded'
    case 'agent':
      return 'the recording is not ours to change: find what the agent does differently'
    case 'fix':
      return 'nothing to accept: the run itself failed'
  }
}
