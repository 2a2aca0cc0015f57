import { describe, expect, it } from 'vitest'
import { renderVerdict } from '../../src/verdict/render.ts'
import type { Finding, RefusalKind, Verdict } from '../../src/verdict/types.ts'
import { difference, labelled, lane, lines, primary, red } from './red-verdict.ts'

/** All but the heading, and what accepts it. */
const rows = (...findings: Finding[]) => lines(findings).slice(1, -2)

it('is one line when green', () => {
  const green: Verdict = { ...red([]), status: 'passed' }
  expect(renderVerdict(green)).toBe('✓ subagent-multi: 2 lanes, 3 calls, 2 logs compared, 813 ms')
  const one = { ...green, lanes: [primary], logsCompared: 1 }
  expect(renderVerdict(one)).toBe('✓ subagent-multi: 1 lane, 1 call, 1 log compared, 813 ms')
  expect(renderVerdict(green, { width: 10 })).toBe('✓ subagen…')
})

it('says all that there is to know about a difference', () => {
  const finding: Finding = { kind: 'log-differs', file: 'session.1.jsonl', difference }
  expect(lines([finding])).toEqual([
    '✗ subagent-multi: log-differs (1 finding)',
    '  why       the log says something else',
    '  lane      1 (session.1.jsonl, lineage 0/1.2.0.0), bound by lineage, 2 of 2 calls served',
    '  call      2',
    '  differs   session.1.jsonl:41 (assistant/message)',
    '  path      data.content[0].text',
    '  expected  "ALPHA"',
    '  actual    "BETA"',
    '  accept    pnpm run test:snapshot:refresh subagent-multi  (keeps the recorded answers)',
    '  run       /tmp/run',
  ])
})

it('leaves out what is not known', () => {
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
  expect(bare.split('\n')).toEqual([
    '✗ a: fault, interrupted (1 finding)',
    '  why       the run was interrupted',
    '  accept    nothing to accept: run it again',
  ])
})

describe('the place of a difference', () => {
  const at = (more: object) => {
    const finding: Finding = {
      kind: 'log-differs',
      file: 'session.jsonl',
      difference: { ...difference, ...more },
    }
    return rows(finding)
  }

  it('has turn, step and tool where they are known', () => {
    expect(at({ eventType: 'tool/result', tool: 'bash', turn: 1, step: 3 })).toEqual([
      '  why       a tool gives something else back: bash',
      '  lane      0 (session.jsonl), bound by primary, 1 of 2 calls served',
      '  call      2',
      '  differs   session.jsonl:41 (tool/result of bash, turn 1, step 3)',
      '  path      data.content[0].text',
      '  expected  "ALPHA"',
      '  actual    "BETA"',
      '  accept    pnpm run test:snapshot:refresh subagent-multi  (keeps the recorded answers)',
    ])
  })

  it.each([
    ['session', 'the session itself is another one: its header differs'],
    ['user/message', 'the agent is asked something else'],
    ['steering/message', 'the agent is asked something else'],
    ['request/header', 'the model is told something else with each request'],
    ['request/header-delta', 'the model is told something else with each request'],
    ['tool/call', 'a tool is called in another way'],
    ['tool/result', 'a tool gives something else back'],
    ['turn/end', 'the log says something else'],
  ])('says what a difference in %s means', (eventType, why) => {
    expect(at({ eventType })[0]).toBe(`  why       ${why}`)
  })

  it.each([
    ['extra', 'one event too many', 'the actual one is too many'],
    ['missing', 'one event is left out', 'the expected one is left out'],
  ])('shows whole events, and which of them is %s', (shift, why, note) => {
    const expected = '{"type":"turn/end","data":{"turn":1}}'
    const [first, , , place, path, left] = at({ shift, path: '', expected })
    expect(first).toBe(`  why       the log takes another course: ${why}`)
    expect(place).toBe(`  differs   session.jsonl:41 (assistant/message, ${note})`)
    expect(path).toBe('  path      (the whole event)')
    expect(left).toBe('  expected  turn/end {"turn":1}')
  })

  it('is before every call', () => {
    expect(at({ call: undefined })[2]).toBe('  call      none yet')
  })

  it('says that a log takes another course where the types differ', () => {
    expect(at({ path: '' })[0]).toBe('  why       the log takes another course')
  })

  it('is a line where there are no events', () => {
    const said = { line: 3, path: '', expected: '{"a":1}', actual: undefined }
    const finding: Finding = {
      kind: 'stdout-differs',
      file: 'stdout.expected.jsonl',
      difference: said,
    }
    expect(rows(finding)).toEqual([
      '  why       the client hears something else',
      '  differs   stdout.expected.jsonl:3',
      '  path      (the whole line)',
      '  expected  result undefined',
      '  actual    (nothing)',
    ])
    const extra: Finding = { ...finding, difference: { ...said, shift: 'extra' } }
    expect(rows(extra)[0]).toBe('  why       the client hears something else: one message too many')
  })
})

describe('a pinned header', () => {
  const pinned = (file: string, more: object) => {
    const values = { line: 2, path: '', expected: '"a \\"b\\""', actual: '"c"' }
    return rows({ kind: 'header-differs', file, difference: { ...values, ...more } })
  }

  it('is of the first call of the primary, and shows a prompt as text', () => {
    expect(pinned('system.expected.txt', {})).toEqual([
      '  why       the system prompt is another one',
      '  lane      0 (session.jsonl), bound by primary, 1 of 2 calls served',
      '  call      1',
      '  differs   system.expected.txt:2',
      '  path      (the whole line)',
      '  expected  a "b"',
      '  actual    c',
    ])
  })

  it('names the tool that has changed', () => {
    const why = 'the tools that the model is offered are others'
    expect(pinned('tools.expected.json', { path: 'bash.parameters' })[0]).toBe(
      `  why       ${why}: bash`,
    )
    expect(pinned('tools.expected.json', {})[0]).toBe(`  why       ${why}`)
  })
})

it.each<[Exclude<RefusalKind, 'refused' | 'poisoned'>, string]>([
  ['extra-call', 'the agent calls the model more often than was recorded'],
  ['unrecorded-session', 'a session calls the model that the recording does not have'],
  ['wrong-lane', 'a session stands elsewhere among the sessions than in the recording'],
  ['unrecorded-retry', 'the agent repeats a model call that was not repeated in the recording'],
  ['missing-retry', 'the agent does not repeat a model call that was repeated in the recording'],
])('describes what was refused as %s', (kind, why) => {
  expect(rows({ kind, message: 'llm-replay: m', lane: 1, call: 3 })).toEqual([
    `  why       ${why}`,
    '  lane      1 (session.1.jsonl, lineage 0/1.2.0.0), bound by lineage, 2 of 2 calls served',
    '  call      3',
    '  replay    m',
  ])
})

it.each(['refused', 'poisoned'] as const)('says of %s what replay says', (kind) => {
  expect(rows({ kind, message: 'llm-replay: m' })).toEqual(['  why       llm-replay: m'])
})

it.each<[Finding, string[]]>([
  [
    { kind: 'leftover', lane: 0, file: 'session.jsonl', served: 1, left: 1 },
    [
      '  why       the agent stops short: 1 of 2 recorded model calls made',
      '  lane      0 (session.jsonl), bound by primary, 1 of 2 calls served',
      '  call      2, which is never made',
    ],
  ],
  [{ kind: 'report-incomplete', message: 'm' }, ['  why       m']],
  [{ kind: 'report-differs', message: 'm' }, ['  why       m']],
  [{ kind: 'log-unreadable', path: 'p', message: 'm' }, ['  why       m']],
  [
    { kind: 'line-form', file: 'p/s', line: 3, message: 'no line feed' },
    ['  why       line 3 of p/s: no line feed'],
  ],
  [
    { kind: 'log-missing', file: 'session.1.jsonl' },
    [
      '  why       the session of session.1.jsonl left no log',
      '  lane      1 (session.1.jsonl, lineage 0/1.2.0.0), bound by lineage, 2 of 2 calls served',
    ],
  ],
  [{ kind: 'log-missing', file: 'x' }, ['  why       the session of x left no log']],
  [
    { kind: 'log-extra', session: '{{session.2}}', path: 'p/c' },
    [
      '  why       {{session.2}} has a log, and no such session was recorded',
      '  extra     {{session.2}}',
    ],
  ],
  [{ kind: 'stdout-missing', file: 'f' }, ['  why       f is not committed yet']],
])('describes %j', (finding, expected) => {
  expect(rows(finding)).toEqual(expected)
})

it('says that a session was never there where nobody had its lane', () => {
  const lanes = [primary, { ...lane, boundBy: 'nothing', served: 0, left: 2 }]
  const finding: Finding = { kind: 'leftover', lane: 1, file: lane.file, served: 0, left: 2 }
  expect(lines([finding], { lanes }).slice(1, 4)).toEqual([
    '  why       a recorded session is never there: none of its 2 model calls is made',
    '  lane      1 (session.1.jsonl, lineage 0/1.2.0.0), bound by nothing, 0 of 2 calls served',
    '  call      1, which is never made',
  ])
})

describe('the difference that is shown with a refusal', () => {
  const at = (file: string, line: number): Finding => {
    return { kind: 'log-differs', file, difference: { ...difference, line } }
  }
  const said: Finding = { kind: 'stdout-differs', file: 'stdout.expected.jsonl', difference }
  const refused = (where: object): Finding => ({ kind: 'extra-call', message: 'm', ...where })
  const lanes = ['0', '0/1.2.0.0', '0/1.2.0.0/1.1.0.0', '0/1.2.1.0'].map((lineage, number) => {
    const file = number === 0 ? 'session.jsonl' : `session.${number}.jsonl`
    return { ...lane, lane: number, file, lineage }
  })
  const shown = (...findings: Finding[]) =>
    labelled('differs', lines(findings, { lanes }).join('\n')).map((line) => line.slice(12))

  it('is that of its lane, else of the lanes above it', () => {
    const other = at('session.3.jsonl', 5)
    const [root, child] = [at('session.jsonl', 7), at('session.1.jsonl', 8)]
    const own = at('session.2.jsonl', 9)
    const deep = refused({ lane: 2 })
    expect(shown(deep, other, root, child, own)[0]).toMatch(/^session\.2\.jsonl:9 /)
    expect(shown(deep, other, root, child)[0]).toMatch(/^session\.1\.jsonl:8 /)
    expect(shown(deep, other, root)[0]).toMatch(/^session\.jsonl:7 /)
    expect(shown(deep, other)[0]).toMatch(/^session\.3\.jsonl:5 /)
    const elsewhere = at('session.3.jsonl', 1)
    expect(shown(deep, root, elsewhere)[0]).toMatch(/^session\.3\.jsonl:1 /)
    expect(shown(deep, elsewhere, own)[0]).toMatch(/^session\.2\.jsonl:9 /)
  })

  it('is that of a session which is another one, where there is no lane', () => {
    const header = at('session.3.jsonl', 1)
    const stranger: Finding = { kind: 'unrecorded-session', message: 'm' }
    expect(shown(stranger, at('session.jsonl', 7), header)[0]).toMatch(/^session\.3\.jsonl:1 /)
    const text = lines([stranger, said, at('session.3.jsonl', 7)], { lanes })
    expect(labelled('lane', text.join('\n'))[0]).toContain('3 (session.3.jsonl')
  })

  it('is that of the transcript where no log differs', () => {
    expect(shown(refused({ lane: 1 }), said)[0]).toMatch(/^stdout\.expected\.jsonl:41/)
    expect(shown(refused({ lane: 1 }))).toEqual([])
  })

  it('is not told again', () => {
    const text = lines([refused({ lane: 0 }), at('session.jsonl', 7), said], { lanes }).join('\n')
    expect(labelled('also', text)).toEqual([
      '  also      stdout-differs: stdout.expected.jsonl:41 data.content[0].text',
    ])
  })
})

it('says who a session is that nobody knows, before what replay says of it', () => {
  const stranger: Finding = { kind: 'unrecorded-session', message: 'm' }
  const extra: Finding = {
    kind: 'log-extra',
    session: '{{session.2}}',
    path: 'p',
    startedBy: '{{session}} in turn 1',
    asked: 'Hm?',
  }
  expect(rows(stranger, extra, { ...extra, session: '{{session.3}}' })).toEqual([
    '  why       a session calls the model that the recording does not have',
    '  extra     {{session.2}}, started by {{session}} in turn 1, asked "Hm?"',
    '  replay    m',
    '  also      log-extra: {{session.3}}, started by {{session}} in turn 1',
  ])
  expect(labelled('extra', rows({ kind: 'extra-call', message: 'm' }, extra).join('\n'))).toEqual(
    [],
  )
})

it('lists further findings', () => {
  const first: Finding = { kind: 'report-incomplete', message: 'first' }
  const further: [Finding, string][] = [
    [{ kind: 'fault', fault: { kind: 'interrupted' } }, 'fault: the run was interrupted'],
    [{ kind: 'refused', code: 'TOOL_REFUSED', message: 'm' }, 'refused: m'],
    [{ kind: 'extra-call', message: 'm' }, 'extra-call: m'],
    [{ kind: 'leftover', lane: 0, file: 'f', served: 1, left: 2 }, 'leftover: 2 in f'],
    [{ kind: 'log-extra', session: 's', path: 'p' }, 'log-extra: s'],
    [{ kind: 'report-differs', message: 'm' }, 'report-differs: m'],
    [{ kind: 'log-unreadable', path: 'p', message: 'm' }, 'log-unreadable: m'],
    [{ kind: 'line-form', file: 'f', line: 2, message: 'm' }, 'line-form: line 2 of f: m'],
    [{ kind: 'log-missing', file: 'f' }, 'log-missing: f'],
    [{ kind: 'stdout-missing', file: 'f' }, 'stdout-missing: f'],
    [
      {
        kind: 'request-drift',
        lane: 0,
        file: 'f',
        call: 2,
        path: 'system',
        expected: undefined,
        actual: '1',
      },
      'request-drift: call 2 of f: system',
    ],
  ]
  for (const [finding, text] of further) {
    expect(labelled('also', rows(first, finding).join('\n'))).toEqual([`  also      ${text}`])
  }
  const at = (line: number, path: string): Finding => {
    return { kind: 'log-differs', file: 'f', difference: { ...difference, line, path } }
  }
  expect(labelled('also', rows(first, at(1, 'a.b'), at(2, 'a.c'), at(3, '')).join('\n'))).toEqual([
    '  also      log-differs: f:2 a.c',
    '  also      log-differs: f:3',
  ])
  const all = [first, ...further.map(([finding]) => finding)]
  expect(lines(all)[0]).toBe('✗ subagent-multi: report-incomplete (12 findings)')
  expect(rows(...all).slice(1)).toEqual([
    ...further.slice(0, 5).map(([, text]) => `  also      ${text}`),
    '  also      6 more',
  ])
  expect(rows(...all.slice(0, 7)).at(-1)).toContain('report-differs')
})
