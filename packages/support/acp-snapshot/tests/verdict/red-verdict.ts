import { renderVerdict } from '../../src/verdict/render.ts'
import type { Finding, Verdict } from '../../src/verdict/types.ts'

// A red verdict of two lanes, and its lines.

export const lane = {
  lane: 1,
  file: 'session.1.jsonl',
  lineage: '0/1.2.0.0',
  boundBy: 'lineage',
  served: 2,
  left: 0,
}
export const primary = { lane: 0, file: 'session.jsonl', boundBy: 'primary', served: 1, left: 1 }
export const difference = {
  line: 41,
  path: 'data.content[0].text',
  expected: '"ALPHA"',
  actual: '"BETA"',
  eventType: 'assistant/message',
  call: 2,
}
export const red = (findings: Finding[], more: Partial<Verdict> = {}): Verdict => ({
  scenario: 'subagent-multi',
  status: 'failed',
  remedy: 'refresh',
  findings,
  lanes: [primary, lane],
  logsCompared: 2,
  durationMs: 812.6,
  stderrTail: '',
  notices: [],
  runDir: '/tmp/run',
  ...more,
})
export const lines = (findings: Finding[], more: Partial<Verdict> = {}) =>
  renderVerdict(red(findings, more)).split('\n')
export const labelled = (label: string, text: string) =>
  text.split('\n').filter((line) => line.startsWith(`  ${label.padEnd(10)}`))
