import { expect, it } from 'vitest'
import { renderVerdict, verdictJson } from '../../src/verdict/render.ts'
import type { Finding, RefusalKind, Verdict } from '../../src/verdict/types.ts'

const lane = {
  lane: 1,
  file: 'session.1.jsonl',
  lineage: '0/1.2.0.0',
  boundBy: 'lineage',
  served: 2,
  left: 0,
}
const primary = { lane: 0, file: 'session.jsonl', boundBy: 'primary', served: 1, left: 0 }
const difference = {
  line: 41,
  path: 'data.content[0].text',
  expected: '"ALPHA"',
  actual: '"BETA"',
  eventType: 'assistant/message',
  call: 2,
}
const red = (findings: Finding[], more: Partial<Verdict> = {}): Verdict => ({
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
const rows = (...findings: Finding[]) => renderVerdict(red(findings)).split('\n').slice(1, -2)

it('is one line when green', () => {
  const green: Verdict = { ...red([]), status: 'passed' }
  expect(renderVerdict(green)).toBe('✓ subagent-multi: 2 lanes, 3 calls, 2 logs compared, 813 ms')
  const one = { ...green, lanes: [primary], logsCompared: 1 }
  expect(renderVerdict(one)).toBe('✓ subagent-multi: 1 lane, 1 call, 1 log compared, 813 ms')
  expect(renderVerdict(green, { width: 10 })).toBe('✓ subagen…')
})

it('says all that there is to know about a difference', () => {
  const finding: Finding = { kind: 'log-differs', file: 'session.1.jsonl', difference }
  expect(renderVerdict(red([finding]))).toBe(
    [
      '✗ subagent-multi: log-differs (1 finding)',
      '  lane      1 (session.1.jsonl, lineage 0/1.2.0.0)',
      '  bound by  lineage',
      '  call      2',
      '  file      session.1.jsonl:41 (assistant/message)',
      '  path      data.content[0].text',
      '  expected  "ALPHA"',
      '  actual    "BETA"',
      '  accept    pnpm run test:snapshot:refresh subagent-multi',
      '  run       /tmp/run',
    ].join('\n'),
  )
})

it('leaves out what is not known', () => {
  const { call: _call, eventType: _type, ...plain } = { ...difference, path: '' }
  expect(rows({ kind: 'log-differs', file: 'session.jsonl', difference: plain })).toEqual([
    '  lane      0 (session.jsonl)',
    '  bound by  primary',
    '  file      session.jsonl:41',
    '  path      (the whole line)',
    '  expected  "ALPHA"',
    '  actual    "BETA"',
  ])
  expect(
    rows({ kind: 'stdout-differs', file: 'stdout.expected.jsonl', difference: plain })[0],
  ).toBe('  file      stdout.expected.jsonl:41')
  const bare = renderVerdict({
    scenario: 'a',
    status: 'failed',
    findings: [{ kind: 'fault', fault: { kind: 'interrupted' } }],
    lanes: [],
    logsCompared: 0,
    durationMs: 1,
    stderrTail: '',
    notices: [],
  })
  expect(bare.split('\n').at(-1)).toBe('  accept    nothing to accept: the run itself failed')
})

it.each<[Finding, string[]]>([
  [{ kind: 'fault', fault: { kind: 'interrupted' } }, ['  fault     the run was interrupted']],
  [
    { kind: 'extra-call', code: 'SCRIPT_EXHAUSTED', message: 'm', lane: 1, call: 3 },
    [
      '  lane      1 (session.1.jsonl, lineage 0/1.2.0.0)',
      '  bound by  lineage',
      '  call      3',
      '  refused   SCRIPT_EXHAUSTED: m',
    ],
  ],
  [
    { kind: 'unrecorded-session', code: 'UNRECORDED_SESSION', message: 'm' },
    ['  refused   UNRECORDED_SESSION: m'],
  ],
  [{ kind: 'wrong-lane', message: 'm' }, ['  refused   m']],
  [
    { kind: 'poisoned', code: 'LANE_POISONED', message: 'm', calls: 1 },
    ['  refused   LANE_POISONED (1 call): m'],
  ],
  [
    { kind: 'leftover', lane: 0, file: 'session.jsonl', served: 1, left: 2 },
    [
      '  lane      0 (session.jsonl)',
      '  bound by  primary',
      '  leftover  1 call served, 2 recorded but never made',
    ],
  ],
  [{ kind: 'report-incomplete', message: 'm' }, ['  report    m']],
  [
    { kind: 'log-missing', file: 'session.1.jsonl' },
    [
      '  lane      1 (session.1.jsonl, lineage 0/1.2.0.0)',
      '  bound by  lineage',
      '  missing   no log for session.1.jsonl',
    ],
  ],
  [
    { kind: 'log-extra', session: '{{session.2}}', path: 'p/c' },
    ['  extra     {{session.2}} has a log that was not recorded: p/c'],
  ],
  [{ kind: 'log-unreadable', path: 'p', message: 'p: m' }, ['  log       p: m']],
  [{ kind: 'stdout-missing', file: 'f' }, ['  missing   f is not committed yet']],
  [
    {
      kind: 'header-differs',
      file: 'system.expected.txt',
      difference: { ...difference, path: 'x' },
    },
    [
      '  call      2',
      '  file      system.expected.txt:41 (assistant/message)',
      '  path      x',
      '  expected  "ALPHA"',
      '  actual    "BETA"',
    ],
  ],
])('describes %j', (finding, wanted) => {
  expect(rows(finding)).toEqual(wanted)
})

it.each<RefusalKind>([
  'extra-call',
  'unrecorded-session',
  'wrong-lane',
  'unrecorded-retry',
  'missing-retry',
  'poisoned',
  'refused',
])('describes what was refused as %s', (kind) => {
  const finding: Finding = { kind, code: 'TOOL_REFUSED', message: 'm', lane: 0, call: 2 }
  expect(rows(finding, finding)).toEqual([
    '  lane      0 (session.jsonl)',
    '  bound by  primary',
    '  call      2',
    '  refused   TOOL_REFUSED: m',
    `  also      ${kind}: m`,
  ])
})

it('lists further findings', () => {
  const further: [Finding, string][] = [
    [{ kind: 'fault', fault: { kind: 'interrupted' } }, 'fault: the run was interrupted'],
    [{ kind: 'refused', code: 'TOOL_REFUSED', message: 'm' }, 'refused: m'],
    [{ kind: 'leftover', lane: 0, file: 'f', served: 1, left: 2 }, 'leftover: 2 in f'],
    [{ kind: 'log-extra', session: 's', path: 'p' }, 'log-extra: p'],
    [{ kind: 'report-incomplete', message: 'm' }, 'report-incomplete: m'],
    [{ kind: 'log-unreadable', path: 'p', message: 'm' }, 'log-unreadable: m'],
    [{ kind: 'log-missing', file: 'f' }, 'log-missing: f'],
    [{ kind: 'stdout-missing', file: 'f' }, 'stdout-missing: f'],
    [{ kind: 'log-differs', file: 'f', difference }, 'log-differs: f:41 data.content[0].text'],
    [
      { kind: 'stdout-differs', file: 'f', difference },
      'stdout-differs: f:41 data.content[0].text',
    ],
    [
      { kind: 'header-differs', file: 'f', difference },
      'header-differs: f:41 data.content[0].text',
    ],
  ]
  const first: Finding = { kind: 'report-incomplete', message: 'first' }
  for (const [finding, text] of further) {
    expect(rows(first, finding)).toEqual(['  report    first', `  also      ${text}`])
  }
  const all = [first, ...further.map(([finding]) => finding)]
  expect(renderVerdict(red(all)).split('\n')[0]).toBe(
    '✗ subagent-multi: report-incomplete (12 findings)',
  )
  expect(rows(...all).slice(1)).toEqual([
    ...further.slice(0, 8).map(([, text]) => `  also      ${text}`),
    '  also      3 more',
  ])
  expect(rows(first, ...all.slice(1, 9)).at(-1)).toContain('stdout-missing')
})

it('fits one screen whatever happened', () => {
  const long = 'x'.repeat(5000)
  const value = { ...difference, path: long, expected: `"${long}a"`, actual: `"${long}b"` }
  const finding: Finding = { kind: 'log-differs', file: 'session.1.jsonl', difference: value }
  const text = renderVerdict(
    red(
      Array.from({ length: 40 }, () => finding),
      {
        stderrTail: Array(50).fill(`${long}\n${long}`).join('\n'),
      },
    ),
    { width: 80 },
  )
  const lines = text.split('\n')
  expect(lines.length).toBeLessThanOrEqual(25)
  expect(Math.max(...lines.map((line) => line.length))).toBe(80)
  expect(lines.find((line) => line.startsWith('  expected'))).toContain('xa"')
  expect(lines.find((line) => line.startsWith('  actual'))).toContain('xb"')
  expect(lines.at(-1)).toBe('  run       /tmp/run')
})

it('shows the end of stderr', () => {
  const finding: Finding = { kind: 'fault', fault: { kind: 'interrupted' } }
  const text = renderVerdict(red([finding], { stderrTail: 'one\ntwo\n \nthree\nfour\n' }))
  expect(text.split('\n').filter((line) => line.startsWith('  stderr'))).toEqual([
    '  stderr    two',
    '  stderr    three',
    '  stderr    four',
  ])
})

it.each([
  ['refresh', 'go:refresh subagent-multi'],
  ['record', 'go:record subagent-multi (re-record: other model calls than recorded)'],
  ['by-hand', 'edit the logs or the override by hand: an authored scenario is never recorded'],
  ['agent', 'the recording is not ours to change: find what the agent does differently'],
  ['fix', 'nothing to accept: the run itself failed'],
] as const)('names what makes it green: %s', (remedy, text) => {
  const finding: Finding = { kind: 'stdout-missing', file: 'f' }
  expect(renderVerdict(red([finding], { remedy }), { command: 'go' })).toContain(
    `  accept    ${text}\n`,
  )
})

it('is the same as JSON for programs', () => {
  const verdict = red([{ kind: 'log-differs', file: 'f', difference }])
  expect(JSON.parse(verdictJson(verdict))).toEqual(verdict)
})

it('names a report of another recording, and a line that may get lost', () => {
  const report: Finding = { kind: 'report-differs', message: 'forged' }
  const form: Finding = { kind: 'line-form', file: 'p/s', line: 3, message: 'no line feed' }
  expect(rows(report, form)).toEqual([
    '  report    forged',
    '  also      line-form: p/s:3 no line feed',
  ])
  expect(rows(form, report)).toEqual([
    '  file      p/s:3',
    '  form      no line feed',
    '  also      report-differs: forged',
  ])
})
