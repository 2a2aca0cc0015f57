import { isFields } from '../log/lines.ts'
import { readRecords } from '../log/records.ts'
import type { NormalRun } from '../verdict/normal-run.ts'
import type { LaneSummary, Verdict } from '../verdict/types.ts'

/** One thing that happened in a session, in words. */
export interface StoryLine {
  readonly who: 'user' | 'agent' | 'tool'
  readonly text: string
}

/** What was asked and what the agent did about it, from a session's log. */
export function storyOf(log: string): StoryLine[] {
  return readRecords(log, 'log').flatMap(({ value }) => tell(value['type'], value['data']))
}

function tell(type: unknown, data: unknown): StoryLine[] {
  if (!isFields(data)) return []
  switch (type) {
    case 'user/message':
      return textOf(data['content']).map((text) => ({ who: 'user', text }))
    case 'assistant/message':
      return textOf(data['content']).map((text) => ({ who: 'agent', text }))
    case 'tool/call':
      return [{ who: 'agent', text: `calls ${String(data['name'])} ${String(data['arguments'])}` }]
    case 'tool/result':
      return textOf(data['content']).map((text) => ({ who: 'tool', text }))
    default:
      return []
  }
}

function textOf(content: unknown): string[] {
  if (!Array.isArray(content)) return []
  return content.flatMap((block: unknown) =>
    isFields(block) && block['type'] === 'text' && typeof block['text'] === 'string'
      ? [block['text']]
      : [],
  )
}

/** How an account of a run looks. */
export interface RenderStoryOptions {
  /** No line is longer. Default 100. */
  readonly width?: number
}

/** A short account of one replay for people: what happened, lane by lane, and what was compared. */
export function renderStory(
  verdict: Verdict,
  normal: NormalRun,
  options: RenderStoryOptions = {},
): string {
  const width = options.width ?? 100
  const lines: string[] = []
  for (const [index, { text }] of normal.logs.entries()) {
    const lane = verdict.lanes[index]
    // Both are in the order of the delegation tree; where one is missing, its place is not known.
    if (normal.logs.length > 1 && verdict.lanes.length === normal.logs.length && lane) {
      lines.push(`  ${whoIs(lane)}`)
    }
    for (const line of storyOf(text)) lines.push(`  ${line.who.padEnd(6)} ${oneLine(line.text)}`)
  }
  for (const lane of verdict.lanes) {
    lines.push(
      `  lane ${lane.lane} ${lane.file}, ${whoIs(lane)}: bound by ${lane.boundBy}, ${lane.served} served, ${lane.left} left`,
    )
  }
  lines.push(
    `  ${verdict.logsCompared} log(s) and ${normal.stdout.length} protocol lines compared in ${Math.round(verdict.durationMs)} ms`,
  )
  return lines.map((line) => cut(line, width)).join('\n')
}

/** Who a lane is by its lineage: `root 0`, or `child 0/1.1.0.0`, of turn 1, step 1, call 0. */
function whoIs({ lineage }: LaneSummary): string {
  if (lineage === undefined) return 'lineage not recorded'
  return `${lineage.includes('/') ? 'child' : 'root'} ${lineage}`
}

function oneLine(text: string): string {
  return text.trimEnd().replaceAll('\n', '⏎')
}

function cut(line: string, width: number): string {
  const points = Array.from(line)
  return points.length <= width ? line : `${points.slice(0, width - 1).join('')}…`
}
