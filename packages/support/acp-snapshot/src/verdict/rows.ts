import type { Acceptance } from './accept.ts'
import type { Cause, FileDifference } from './cause.ts'
import { withoutCutOff } from './cut-short.ts'
import { excerpts, oneLine, wrap } from './excerpt.ts'
import { forReading } from './reading.ts'
import { isRefusal } from './refusals.ts'
import type { Finding, LaneSummary, PendingTool, Verdict } from './types.ts'
import { whyOf } from './why.ts'

type Drift = Extract<Finding, { kind: 'request-drift' }>
type LogExtra = Extract<Finding, { kind: 'log-extra' }>

/** What a row is for: it decides its colour. */
export type Tone = 'plain' | 'expected' | 'actual' | 'command'

export interface Row {
  /** Empty where the row goes on with the one before. */
  readonly label: string
  readonly text: string
  readonly tone: Tone
}

const MOST_WHY = 5
const MOST_REPLAY = 4

/** The row says already who speaks. */
const SPEAKER = /^llm-replay: /

/** What happened and where, in at most 20 rows. */
export function causeRows(cause: Cause, verdict: Verdict, width: number): Row[] {
  const { findings, pendingTools = [] } = verdict
  const { why, lane, call, difference } = cause
  const [first] = findings
  const refusal =
    first !== undefined && isRefusal(first) && first.message !== why ? first : undefined
  return [
    ...rows('why', wrap(why, width, MOST_WHY)),
    ...strangerRows(findings, width),
    ...(lane === undefined ? [] : [row('lane', laneText(lane))]),
    ...callRows(call, first),
    ...(refusal === undefined
      ? []
      : rows('replay', wrap(refusal.message.replace(SPEAKER, ''), width, MOST_REPLAY))),
    ...(first?.kind === 'request-drift' ? driftRows(first, width) : []),
    ...(difference === undefined ? [] : differenceRows(difference, width)),
    ...(cause.next === undefined ? [] : [nextRow(cause.next)]),
    ...rows('pending', wrap(pendingTools.map(pendingText).join(', '), width, 2)),
  ]
}

/** Who the session is that nobody knows. */
function strangerRows(findings: readonly Finding[], width: number): Row[] {
  const stranger = strangerOf(findings)
  if (stranger === undefined) return []
  const { session, startedBy, asked } = stranger
  const by = startedBy === undefined ? '' : `, started by ${startedBy}`
  const what = asked === undefined ? '' : `, asked ${JSON.stringify(asked)}`
  return rows('extra', wrap(`${session}${by}${what}`, width, 2))
}

function strangerOf(findings: readonly Finding[]): LogExtra | undefined {
  const [first] = findings
  if (first?.kind !== 'unrecorded-session' && first?.kind !== 'log-extra') return undefined
  return findings.find((finding): finding is LogExtra => finding.kind === 'log-extra')
}

/** The other findings, a row each. What the cause shows already is not told again. */
export function otherRows(findings: readonly Finding[], cause: Cause, most: number): Row[] {
  const shown = cause.difference
  const stranger = strangerOf(findings)
  const telling = withoutCutOff(findings)
  const others = telling.slice(1).filter((finding) => {
    if (!('difference' in finding)) return finding !== stranger
    return finding.file !== shown?.file || finding.difference.line !== shown.line
  })
  const cutOff = findings.filter((finding) => !telling.includes(finding))
  const all = [
    ...others.map((finding) => `${finding.kind}: ${brief(finding)}`),
    ...(cutOff.length === 0 ? [] : [`since it was cut short: ${kindsOf(cutOff)}`]),
  ]
  const fits = all.length <= most ? all.length : Math.max(0, most - 1)
  const told = all.slice(0, fits).map((text) => row('also', text))
  const hidden = all.length - told.length
  return hidden > 0 && most > 0 ? [...told, row('also', `${hidden} more`)] : told
}

function kindsOf(findings: readonly Finding[]): string {
  return [...new Set(findings.map(({ kind }) => kind))].join(', ')
}

export function acceptRows(acceptance: Acceptance, width: number): Row[] {
  const { command, advice, alternative, unsteady } = acceptance
  if (command === undefined) return rows('accept', wrap(advice, width, 3))
  return [
    ...commandRows('accept', command, advice, width),
    ...(alternative === undefined
      ? []
      : commandRows('or', alternative.command, alternative.advice, width)),
    ...(unsteady === undefined ? [] : rows('or', wrap(unsteady, width, 2))),
  ]
}

/** A command is there to be copied: it is never cut, and stands in one row. */
function commandRows(label: string, command: string, advice: string, width: number): Row[] {
  const note = `(${advice})`
  const whole = `${command}  ${note}`
  if (whole.length <= width) return [{ label, text: whole, tone: 'command' }]
  return [{ label, text: command, tone: 'command' }, row('', oneLine(note, width))]
}

function row(label: string, text: string, tone: Tone = 'plain'): Row {
  return { label, text, tone }
}

function rows(label: string, texts: readonly string[]): Row[] {
  return texts.map((text, index) => row(index === 0 ? label : '', text))
}

function laneText({ lane, file, lineage, boundBy, served, left }: LaneSummary): string {
  const place = lineage === undefined ? '' : `, lineage ${lineage}`
  return `${lane} (${file}${place}), bound by ${boundBy}, ${served} of ${served + left} calls served`
}

function callRows(call: number | undefined, first: Finding | undefined): Row[] {
  if (call === undefined) return first?.kind === 'log-differs' ? [row('call', 'none yet')] : []
  if (first?.kind === 'leftover') return [row('call', `${call}, which is never made`)]
  if (first?.kind === 'fault') return [row('call', `${call}, the last that was answered`)]
  return [row('call', String(call))]
}

function differenceRows(difference: FileDifference, width: number): Row[] {
  const { file, path } = difference
  const [left, right] = forReading(difference)
  const [expected, actual] = excerpts(left, right, width)
  const whole = difference.eventType === undefined ? '(the whole line)' : '(the whole event)'
  return [
    row('differs', `${file}:${difference.line}${eventText(difference)}`),
    row('path', path === '' ? whole : path),
    row('expected', expected, 'expected'),
    row('actual', actual, 'actual'),
  ]
}

function nextRow(next: FileDifference): Row {
  const [expected] = forReading(next)
  return row('next', `${next.file}:${next.line} ${expected}`)
}

function pendingText({ tool, file, line }: PendingTool): string {
  return `${tool} (${file}:${line})`
}

function driftRows({ path, ...values }: Drift, width: number): Row[] {
  const [expected, actual] = excerpts(values.expected, values.actual, width)
  return [
    row('request', path),
    row('expected', expected, 'expected'),
    row('actual', actual, 'actual'),
  ]
}

function eventText({ eventType, tool, turn, step, shift }: FileDifference): string {
  const facts = [
    ...(eventType === undefined
      ? []
      : [tool === undefined ? eventType : `${eventType} of ${tool}`]),
    ...(turn === undefined ? [] : [`turn ${turn}`]),
    ...(step === undefined ? [] : [`step ${step}`]),
    ...(shift === undefined
      ? []
      : [shift === 'extra' ? 'the actual one is too many' : 'the expected one is left out']),
  ]
  return facts.length === 0 ? '' : ` (${facts.join(', ')})`
}

/** For a single row: where, where that is known, else what. */
function brief(finding: Finding): string {
  if ('difference' in finding) {
    const { line, path } = finding.difference
    return `${finding.file}:${line}${path === '' ? '' : ` ${path}`}`
  }
  switch (finding.kind) {
    case 'leftover':
      return `${finding.left} in ${finding.file}`
    case 'request-drift':
      return `call ${finding.call} of ${finding.file}: ${finding.path}`
    case 'log-missing':
    case 'stdout-missing':
      return finding.file
    case 'log-extra':
      return finding.startedBy === undefined
        ? finding.session
        : `${finding.session}, started by ${finding.startedBy}`
    default:
      return isRefusal(finding) ? finding.message : whyOf(finding, undefined)
  }
}
