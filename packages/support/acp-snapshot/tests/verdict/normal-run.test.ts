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
    findings: [],
  })
})

it('names sessions that left no log after those that did', () => {
  const sessionLogs = [{ path: 's', text: jsonl(header(S1)) }]
  const out = normaliseRun({ ...run, sessionLogs, sessionIds: [S0, S1], stdout: [`"${S0} ${S1}"`] })
  expect(out.stdout).toEqual(['"{{session.1}} {{session}}"'])
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
    findings: [
      { kind: 'fault', fault: { kind: 'protocol-line', line: 2, text: 'hello' } },
      { kind: 'log-unreadable', path: 'a', message: 'a: line 2 is not JSON: "{\\"torn"' },
      { kind: 'log-unreadable', path: 'b', message: 'b: line 1 is not JSON: "x"' },
      { kind: 'log-unreadable', path: 'c', message: 'c: too many' },
    ],
  })
})
