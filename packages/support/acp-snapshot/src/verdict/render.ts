import pico from 'picocolors'
import { acceptanceOf } from './accept.ts'
import { type Cause, causeOf } from './cause.ts'
import { oneLine, wrap } from './excerpt.ts'
import { DEFAULT_INVOCATION, scriptInvocation } from './invocation.ts'
import { acceptRows, causeRows, otherRows, type Row, type Tone } from './rows.ts'
import { tellingLines } from './stderr-lines.ts'
import type { Finding, Invocation, Verdict } from './types.ts'

/** How a verdict looks, and what its commands are called. */
export interface RenderOptions {
  /** No line is longer, but for commands and paths, which are there to be copied. Default 110. */
  readonly width?: number
  /** How the tier is called in this project (`scriptInvocation`). Default `pnpm run test:snapshot`. */
  readonly command?: string
  /** How scenarios are brought up to date, where one word does not say it. */
  readonly invocation?: Invocation
  /** Whether to colour it, for a terminal. Default false. */
  readonly colour?: boolean
}

/** No report is longer: it is read on one screen, beside others. */
const MOST_LINES = 25
const MOST_OTHERS = 6
const MOST_STDERR = 9
const MOST_OF_A_LINE = 3
const LABEL = 12
const DEFAULT_WIDTH = 110

/** A verdict for people: one line when green, at most 25 when red. */
export function renderVerdict(verdict: Verdict, options: RenderOptions = {}): string {
  const { width = DEFAULT_WIDTH } = options
  const colours = pico.createColors(options.colour === true)
  const cause = causeOf(verdict)
  if (cause === undefined) return colours.green(oneLine(greenLine(verdict), width))
  const heading = `✗ ${verdict.scenario}: ${titleOf(verdict.findings[0])} (${count(verdict.findings.length, 'finding')})`
  return [
    colours.red(oneLine(heading, width)),
    ...redRows(verdict, cause, options, width - LABEL).map((row) => {
      const text = fits(row) ? row.text : oneLine(row.text, width - LABEL)
      return `  ${colours.dim(row.label.padEnd(LABEL - 2))}${PAINT[row.tone](colours, text)}`
    }),
  ].join('\n')
}

function titleOf(first: Finding | undefined): string {
  return first?.kind === 'fault' ? `fault, ${first.fault.kind}` : String(first?.kind)
}

/** How the invocation of a project is called: by its script, unless it says otherwise. */
export function invocationOf({ command, invocation }: RenderOptions): Invocation {
  return invocation ?? scriptInvocation(command ?? DEFAULT_INVOCATION)
}

type Colours = ReturnType<typeof pico.createColors>

const PAINT: Readonly<Record<Tone, (colours: Colours, text: string) => string>> = {
  plain: (_, text) => text,
  expected: (colours, text) => colours.green(text),
  actual: (colours, text) => colours.red(text),
  command: (colours, text) => colours.bold(text),
}

function fits({ tone, label }: Row): boolean {
  return tone === 'command' || label === 'run'
}

/** Rows that can be done without give way to those that cannot. */
function redRows(verdict: Verdict, cause: Cause, options: RenderOptions, width: number): Row[] {
  const { findings, runDir } = verdict
  const acceptance = acceptanceOf(verdict, invocationOf(options))
  const top = causeRows(cause, verdict, width)
  const bottom = [
    ...acceptRows(acceptance, width),
    ...(runDir === undefined ? [] : [plain('run', runDir)]),
  ]
  const room = MOST_LINES - 1 - top.length - bottom.length
  const said = stderrRows(verdict.stderrTail, findings[0], room, width)
  const others = otherRows(findings, cause, Math.min(room - said.length, MOST_OTHERS))
  return [...top, ...said, ...others, ...bottom]
}

/**
 * The end of stderr is where a crash says why, so that is told in full; beside a difference it is
 * rarely to the point.
 */
function stderrRows(tail: string, first: Finding | undefined, room: number, width: number): Row[] {
  if (first?.kind !== 'fault') {
    return tellingLines(tail, Math.min(room, 2)).map((line) => plain('stderr', line))
  }
  const most = Math.min(room, MOST_STDERR)
  const rows: Row[] = []
  for (const line of tellingLines(tail, 5).toReversed()) {
    const parts = wrap(line, width, MOST_OF_A_LINE)
    if (rows.length + parts.length > most) break
    rows.unshift(...parts.map((part, index) => plain(index === 0 ? 'stderr' : '', part)))
  }
  return rows
}

function plain(label: string, text: string): Row {
  return { label, text, tone: 'plain' }
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
