import { expect, it } from 'vitest'
import { normaliseRun } from '../../src/verdict/normal-run.ts'
import { header, jsonl } from '../temp.ts'

const S0 = '00000000-aaaa-4aaa-8aaa-000000000000'
const S1 = '11111111-aaaa-4aaa-8aaa-111111111111'
const U = '22222222-bbbb-4bbb-8bbb-222222222222'
const run = { stdout: [], sessionLogs: [], cwdAliases: ['/tmp/x'], sessionIds: [] }

it('normalises stdout and logs as one, numbering as seen', () => {
  const text = jsonl(header(S0, { createdAt: 7, cwd: '/tmp/x' }), {
    type: 'x',
    data: `${U} {{id.1}}`,
  })
  const stdout = [`{"id":4,"result":"${U} /tmp/x"}`]
  expect(normaliseRun({ ...run, stdout, sessionLogs: [{ path: 'p/s', text }] })).toEqual({
    stdout: ['{"id":1,"result":"{{id.1}} {{cwd}}"}'],
    logs: [
      {
        name: 'p/s',
        text: jsonl(header('{{session}}', { cwd: '{{cwd}}' }), {
          type: 'x',
          data: '{{id.1}} {{id.1}}',
        }),
      },
    ],
    sessionIds: [S0],
    findings: [],
  })
})

it('names sessions that left no log after those that did', () => {
  const sessionLogs = [{ path: 's', text: jsonl(header(S1)) }]
  const out = normaliseRun({ ...run, sessionLogs, sessionIds: [S0, S1], stdout: [`"${S0} ${S1}"`] })
  expect(out.stdout).toEqual(['"{{session.1}} {{session}}"'])
  expect(out.sessionIds).toEqual([S1, S0])
})

it('passes options on', () => {
  const request = { type: 'request/header', data: { header: { system: 'S' } } }
  const sessionLogs = [{ path: 's', text: jsonl(header(S0), request, { type: 'x', data: U }) }]
  const options = { pinHeader: true, recordedSessionIds: [U] }
  const [log] = normaliseRun({ ...run, sessionLogs }, options).logs
  expect(log?.text).toBe(jsonl(header('{{session}}'), request, { type: 'x', data: '{{session}}' }))
})

it('case R9: turns what is not readable into findings, and goes on with the rest', () => {
  const good = jsonl(header(S0))
  const sessionLogs = [
    { path: 'a', text: `${good}{"torn` },
    { path: 'b', text: 'x\n' },
    { path: 'c', text: good, problem: 'c: too many' },
  ]
  const out = normaliseRun({ ...run, stdout: ['{}', 'hello', '[]'], sessionLogs })
  expect(out).toEqual({
    stdout: ['{}', '[]'],
    logs: [{ name: 'a', text: jsonl(header('{{session}}')) }],
    sessionIds: [S0],
    findings: [
      { kind: 'fault', fault: { kind: 'protocol-line', line: 2, text: 'hello' } },
      { kind: 'log-unreadable', path: 'a', message: 'a: line 2 is not JSON: "{\\"torn"' },
      { kind: 'log-unreadable', path: 'b', message: 'b: line 1 is not JSON: "x"' },
      { kind: 'log-unreadable', path: 'c', message: 'c: too many' },
    ],
  })
})

it('keeps every line up to one that is torn', () => {
  const lines = [header(S0), { type: 'x', data: 1 }, { type: 'x', data: 2 }]
  const sessionLogs = [{ path: 'a', text: `${jsonl(...lines)}{"torn` }]
  const [log] = normaliseRun({ ...run, sessionLogs }).logs
  expect(log?.text).toBe(jsonl(header('{{session}}'), ...lines.slice(1)))
})

it.each([
  ['"line feed"', (text: string) => text.slice(0, -1), 'the last line has no line feed'],
  ['CR LF', (text: string) => text.replaceAll('\n', '\r\n'), 'ends in CR LF, expected LF alone', 1],
  [
    'a key that stands twice',
    (text: string) => text.replace('"data":1', '"data":0,"data":1'),
    'the key "data" stands twice in one object',
  ],
  [
    'a space',
    (text: string) => text.replace('"data":1', '"data": 1'),
    'not spelt as JSON.stringify spells it',
  ],
  [
    'a number',
    (text: string) => text.replace('"data":1', '"data":1.0'),
    'not spelt as JSON.stringify spells it',
  ],
])(
  'case R9: a log that the store would not write so is told: %s',
  (_what, spoil, message, line = 2) => {
    const text = jsonl(header(S0), { type: 'x', data: 1 })
    const sessionLogs = [{ path: 'p/s', text: spoil(text) }]
    expect(normaliseRun({ ...run, sessionLogs }).findings).toEqual([
      { kind: 'line-form', file: 'p/s', line, message },
    ])
    expect(normaliseRun({ ...run, sessionLogs: [{ path: 'p/s', text }] }).findings).toEqual([])
  },
)

it('case R9: stdout may be spaced, but says no key twice', () => {
  const stdout = ['{ "id" : 1 }', '{"id":1,"id":2}']
  expect(normaliseRun({ ...run, stdout }).findings).toEqual([
    {
      kind: 'line-form',
      file: 'stdout',
      line: 2,
      message: 'the key "id" stands twice in one object',
    },
  ])
})

it('does not walk what is nested too deep', () => {
  const deep = `{"type":"x","data":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
  const sessionLogs = [{ path: 'p/s', text: `${jsonl(header(S0))}${deep}\n` }]
  const { findings, stdout } = normaliseRun({ ...run, stdout: [deep, '{}'], sessionLogs })
  expect(stdout).toEqual(['{}'])
  expect(findings).toEqual([
    { kind: 'fault', fault: { kind: 'protocol-line', line: 1, text: deep } },
    {
      kind: 'log-unreadable',
      path: 'p/s',
      message: 'p/s: line 2 is nested deeper than 500 levels',
    },
  ])
})
