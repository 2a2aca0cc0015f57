import type { BindingRule, RefusalCode, ReportRecord } from 'dsh-llm-replay'
import { expect, it } from 'vitest'
import { reportRecord } from '../../src/run/report-record.ts'

const RULES: BindingRule[] = ['primary', 'anonymous', 'lineage', 'first-call', 'resumed']
const CODES: RefusalCode[] = [
  'SCRIPT_EXHAUSTED',
  'UNRECORDED_SESSION',
  'LANE_TAKEN',
  'UNRECORDED_PURPOSE',
  'UNRECORDED_RETRY',
  'MISSING_RETRY',
  'LANE_POISONED',
  'TOOL_REFUSED',
  'TOOL_NOT_RECORDED',
  'TOOL_ARGUMENTS_DIFFER',
]

it.each<ReportRecord>([
  { event: 'loaded', lane: 0, file: 'session.jsonl', calls: 2 },
  { event: 'loaded', lane: 1, file: 'session.1.jsonl', calls: 0, lineage: '0/1.1.0.0' },
  ...RULES.map((rule) => ({ event: 'bound', lane: 1, session: 's', rule }) as const),
  { event: 'bound', lane: 1, session: 's', rule: 'lineage', lineage: '0/1.1.0.0', after: 2 },
  { event: 'drifted', lane: 1, session: null, call: 3, path: 'system' },
  { event: 'drifted', lane: 1, session: 's', call: 1, path: 'a', expected: '1', actual: '2' },
  ...CODES.map((code) => ({ event: 'refused', code, message: 'no', session: null }) as const),
])('reads what replay writes: %j', (record) => {
  expect(reportRecord.parse(record)).toEqual(record)
})

it.each([
  { event: 'bound', lane: 1, session: 's', rule: 'guess' },
  { event: 'bound', lane: 1, session: 's', rule: 'lineage', lineage: 0 },
  { event: 'loaded', lane: 0, file: 'f', calls: 2, lineage: null },
  { event: 'drifted', lane: 1, session: 's', call: 0, path: 'system' },
  { event: 'drifted', lane: 1, session: 's', call: 1, path: 'system', expected: 1 },
  { event: 'refused', code: 'OTHER', message: 'no', session: null },
])('refuses what it half understands: %j', (record) => {
  expect(reportRecord.safeParse(record).success).toBe(false)
})
