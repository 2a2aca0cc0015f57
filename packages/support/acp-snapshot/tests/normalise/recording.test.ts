import { expect, it } from 'vitest'
import {
  normaliseOutputs,
  normaliserForRecording,
  recordingFacts,
} from '../../src/normalise/recording.ts'
import { header, jsonl } from '../temp.ts'

const S0 = '00000000-aaaa-4aaa-8aaa-000000000000'
const S1 = '11111111-aaaa-4aaa-8aaa-111111111111'
const U = '22222222-bbbb-4bbb-8bbb-222222222222'

it.each([
  ['/srv/a', ['/srv/a']],
  ['/tmp/a', ['/tmp/a', '/private/tmp/a']],
  ['/private/tmp/a', ['/tmp/a', '/private/tmp/a']],
  ['/var/folders/a', ['/var/folders/a', '/private/var/folders/a']],
  ['/etc/a', ['/etc/a', '/private/etc/a']],
  ['/tmp', ['/tmp']],
  ['/tmpx/a', ['/tmpx/a']],
  ['/private/a', ['/private/a']],
  ['/x/tmp/a', ['/x/tmp/a']],
  ['{{cwd}}', []],
  ['{{cwd}}/workspace', []],
  ['relative', []],
])('takes the cwd %j lexically', (cwd, aliases) => {
  expect(recordingFacts([jsonl(header(S0, { cwd }))])).toEqual({
    sessionIds: [S0],
    cwdAliases: aliases,
  })
})

it('reads all headers, and needs no cwd', () => {
  const logs = [jsonl(header(S0)), jsonl(header(S1, { cwd: '/w' }))]
  expect(recordingFacts(logs)).toEqual({ sessionIds: [S0, S1], cwdAliases: ['/w'] })
  expect(() => recordingFacts([jsonl(header(S0)), '{}\n'])).toThrow(
    'log 2: line 1 is not a session header',
  )
})

it('normalises a recording by what its own headers say', () => {
  const logs = [
    jsonl(header(S0, { cwd: '/tmp/a' }), { type: 'x', data: `/private/tmp/a ${S1} ${U}` }),
    jsonl(header(S1, { cwd: '/tmp/a', parentSession: S0 }), { type: 'x', data: '{{id.6}}' }),
  ]
  const normaliser = normaliserForRecording(logs)
  expect(logs.map((log, rank) => normaliser.log(log, rank))).toEqual([
    jsonl(header('{{session}}', { cwd: '{{cwd}}' }), {
      type: 'x',
      data: '{{cwd}} {{session.1}} {{id.7}}',
    }),
    jsonl(header('{{session.1}}', { createdAt: 1, cwd: '{{cwd}}', parentSession: '{{session}}' }), {
      type: 'x',
      data: '{{id.6}}',
    }),
  ])
})

it('passes options on', () => {
  const request = { type: 'request/header', data: { header: { system: 'S' } } }
  const text = jsonl(header(S0), request)
  expect(normaliserForRecording([text], { pinHeader: true }).log(text, 0)).toContain('"system":"S"')
  expect(normaliserForRecording([text]).log(text, 0)).toContain('{{system}}')
  const outputs = ['{{id.3}}']
  expect(normaliserForRecording([text], { outputs }).stdout([`"${U}"`])).toEqual(['"{{id.4}}"'])
})

it('looks ahead at each line of stdout for what is data', () => {
  const stdout = [`"${U}"`, `{"toolCallId":"${U}"}`]
  const options = { sessionIds: [S0], cwdAliases: [] }
  expect(normaliseOutputs({ stdout, logs: [jsonl(header(S0), { data: U })] }, options)).toEqual({
    stdout,
    logs: [jsonl(header('{{session}}'), { data: U })],
  })
})

it('normalises the outputs of a scenario as one: stdout first, ranks by place', () => {
  const call = { type: 'tool/call', data: { callId: U } }
  const logs = [jsonl(header(S0), { type: 'x', data: '{{id.4}}' }), jsonl(header(S1), call)]
  const options = { sessionIds: [S0, S1], cwdAliases: [] }
  const other = '44444444-bbbb-4bbb-8bbb-222222222222'
  expect(normaliseOutputs({ stdout: [`"${U}"`, `"${other}"`], logs }, options)).toEqual({
    stdout: [`"${U}"`, '"{{id.5}}"'],
    logs: [
      jsonl(header('{{session}}'), { type: 'x', data: '{{id.4}}' }),
      jsonl(header('{{session.1}}', { createdAt: 1 }), call),
    ],
  })
  expect(normaliseOutputs({ stdout: [], logs: [] }, options)).toEqual({ stdout: [], logs: [] })
  const tokens = { stdout: ['"{{id.9}}"'], logs: [jsonl(header(other))] }
  expect(normaliseOutputs(tokens, options).logs).toEqual([jsonl(header('{{id.10}}'))])
})
