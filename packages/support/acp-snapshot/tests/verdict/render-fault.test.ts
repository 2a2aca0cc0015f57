import { expect, it } from 'vitest'
import { renderVerdict } from '../../src/verdict/render.ts'
import type { Verdict } from '../../src/verdict/types.ts'

const red = (message: string): Verdict => ({
  scenario: 'one',
  status: 'failed',
  remedy: 'fix',
  findings: [{ kind: 'fault', fault: { kind: 'agent-not-started', message } }],
  lanes: [],
  logsCompared: 0,
  durationMs: 1,
  stderrTail: '',
  notices: [],
})

it('tells the fault in full, over as many rows as it takes', () => {
  const text = renderVerdict(red(`no luck with ${'word '.repeat(20)}end`), { width: 60 })
  const rows = text.split('\n').slice(1, -2)
  expect(rows.every((row) => row.length <= 60)).toBe(true)
  expect(rows.map((row) => row.slice(12)).join(' ')).toBe(
    `the agent did not start: no luck with ${'word '.repeat(20)}end`,
  )
  expect(rows[0]).toMatch(/^ {2}why {7}the agent/)
  expect(rows[1]).toMatch(/^ {12}\S/)
})

it('cuts a word that fits no row, and a fault without end', () => {
  const rows = renderVerdict(red('x'.repeat(5_000)), { width: 60 }).split('\n')
  expect(rows.length).toBeLessThan(20)
  expect(rows.at(-3)).toMatch(/x…$/)
})
