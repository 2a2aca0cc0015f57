import { expect, it } from 'vitest'
import { renderVerdict } from '../../src/verdict/render.ts'

it('says of a request what was asked instead, and that nothing accepts it', () => {
  const lane = { lane: 1, file: 'session.1.jsonl', lineage: '0/1.2.0.0', boundBy: 'lineage' }
  const text = renderVerdict({
    scenario: 'a',
    status: 'failed',
    remedy: 'requests',
    findings: [
      {
        kind: 'request-drift',
        lane: 1,
        file: 'session.1.jsonl',
        call: 3,
        path: 'messages[4].content[0].text',
        expected: '"a"',
        actual: undefined,
      },
    ],
    lanes: [{ ...lane, served: 3, left: 0 }],
    logsCompared: 1,
    durationMs: 1,
    stderrTail: '',
    notices: [],
  })
  expect(text.split('\n')).toEqual([
    '✗ a: request-drift (1 finding)',
    '  why       the model is asked something else than the log of the session implies',
    '  lane      1 (session.1.jsonl, lineage 0/1.2.0.0), bound by lineage, 3 of 3 calls served',
    '  call      3',
    '  request   messages[4].content[0].text',
    '  expected  "a"',
    '  actual    (nothing)',
    '  accept    nothing to accept: the agent asks the model for something else than it logs',
  ])
})
