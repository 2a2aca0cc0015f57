import { expect, it } from 'vitest'
import { renderStory, storyOf } from '../../src/story/story.ts'
import type { Verdict } from '../../src/verdict/types.ts'
import { header, jsonl } from '../temp.ts'

const text = (value: string) => [{ type: 'text', text: value }]
const log = jsonl(
  header('{{session}}'),
  { type: 'user/message', seq: 0, time: 0, data: { content: text('do it') } },
  {
    type: 'assistant/message',
    seq: 1,
    time: 0,
    data: {
      content: [{ type: 'reasoning', text: 'hm' }, ...text('on it'), { type: 'text' }, null],
    },
  },
  { type: 'tool/call', seq: 2, time: 0, data: { name: 'bash', arguments: '{"a":1}' } },
  { type: 'tool/result', seq: 3, time: 0, data: { content: text('one\ntwo\n') } },
  { type: 'tool/result', seq: 4, time: 0, data: { content: 'odd' } },
  { type: 'step/end', seq: 5, time: 0, data: {} },
  { type: 'user/message', seq: 6, time: 0, data: 'odd' },
)
const verdict: Verdict = {
  scenario: 's',
  status: 'passed',
  findings: [],
  lanes: [{ lane: 0, file: 'session.jsonl', boundBy: 'primary', served: 2, left: 1 }],
  logsCompared: 1,
  durationMs: 12.6,
  notices: [],
  stderrTail: '',
}

it('tells what was asked and what the agent did', () => {
  expect(storyOf(log)).toEqual([
    { who: 'user', text: 'do it' },
    { who: 'agent', text: 'on it' },
    { who: 'agent', text: 'calls bash {"a":1}' },
    { who: 'tool', text: 'one\ntwo\n' },
  ])
})

it('renders it with the lanes and what was compared', () => {
  const normal = {
    stdout: ['{}', '{}'],
    logs: [{ name: 'session.jsonl', text: log }],
    sessionIds: [],
    findings: [],
  }
  expect(renderStory(verdict, normal).split('\n')).toEqual([
    '  user   do it',
    '  agent  on it',
    '  agent  calls bash {"a":1}',
    '  tool   one⏎two',
    '  lane 0 session.jsonl, lineage not recorded: bound by primary, 2 served, 1 left',
    '  1 log(s) and 2 protocol lines compared in 13 ms',
  ])
  expect(renderStory(verdict, normal, { width: 10 }).split('\n')[0]).toBe('  user   …')
})

it('says of several sessions who each of them is, and what each lane served', () => {
  const nested: Verdict = {
    ...verdict,
    lanes: [
      { lane: 0, file: 'a', lineage: '0', boundBy: 'lineage', served: 2, left: 0 },
      { lane: 1, file: 'b', lineage: '0/1.1.0.0', boundBy: 'lineage', served: 1, left: 0 },
    ],
  }
  const short = jsonl(header('x'), {
    type: 'user/message',
    seq: 0,
    time: 0,
    data: { content: text('hi') },
  })
  const logs = [
    { name: 'a', text: short },
    { name: 'b', text: short },
  ]
  const lanes = [
    '  lane 0 a, root 0: bound by lineage, 2 served, 0 left',
    '  lane 1 b, child 0/1.1.0.0: bound by lineage, 1 served, 0 left',
    '  1 log(s) and 0 protocol lines compared in 13 ms',
  ]
  expect(
    renderStory(nested, { stdout: [], sessionIds: [], findings: [], logs }).split('\n'),
  ).toEqual(['  root 0', '  user   hi', '  child 0/1.1.0.0', '  user   hi', ...lanes])
  // A log that is missing leaves it open whose the others are.
  const more = { stdout: [], sessionIds: [], findings: [], logs: [...logs, ...logs] }
  expect(renderStory(nested, more).split('\n')).toEqual([...Array(4).fill('  user   hi'), ...lanes])
})

it('cuts a line at its width by default, and by whole characters', () => {
  const long = jsonl(header('x'), {
    type: 'user/message',
    seq: 0,
    time: 0,
    data: { content: text('😀'.repeat(200)) },
  })
  const normal = { stdout: [], logs: [{ name: 'l', text: long }], sessionIds: [], findings: [] }
  const [line] = renderStory(verdict, normal).split('\n')
  expect(Array.from(line ?? '')).toHaveLength(100)
  expect(line?.endsWith('😀…')).toBe(true)
})
