import { describe, expect, it } from 'vitest'
import {
  departure,
  findingLabel,
  labelOf,
  plainVerdict,
  plainWords,
} from '../../faults/verdicts.mjs'

const HOME = '/tmp/dsh-x/worker-1'
const TEMP = `${HOME}/temp`
const PLACES = { home: HOME, tempDir: TEMP }
const red = (finding: object) =>
  plainVerdict(JSON.stringify({ scenario: 's', status: 'failed', findings: [finding] }), PLACES)
const GREEN = plainVerdict('{"scenario":"s","status":"passed","findings":[]}', PLACES)

describe('labels', () => {
  it.each([
    [{ kind: 'fault', fault: { kind: 'timeout' } }, 'fault:timeout'],
    [{ kind: 'refused', code: 'TOOL_REFUSED' }, 'refused:TOOL_REFUSED'],
    [{ kind: 'log-differs', difference: { eventType: 'turn/end' } }, 'log-differs:turn/end'],
    [{ kind: 'log-differs', difference: {} }, 'log-differs:end'],
    [{ kind: 'leftover', left: 1 }, 'leftover'],
  ])('calls %j %s', (finding, label) => {
    expect(findingLabel(finding)).toBe(label)
    expect(red(finding).label).toBe(label)
  })

  it('calls a scenario that could not be read not loaded', () => {
    expect(labelOf({ status: 'failed', problems: ['x'] })).toBe('not-loaded')
  })

  it('takes the first finding', () => {
    const findings = [{ kind: 'extra-call' }, { kind: 'fault', fault: { kind: 'step-failed' } }]
    expect(labelOf({ status: 'failed', findings })).toBe('extra-call')
  })
})

describe('what two runs say alike', () => {
  const A = '0b6bd1a0-6c5a-4b1c-8a8e-0d6f4f0f0a01'
  const B = '0b6bd1a0-6c5a-4b1c-8a8e-0d6f4f0f0a02'

  it('leaves out times, folders and live ids, and nothing else', () => {
    const text = `${A} ${B} ${A} at ${TEMP}/run-1/cwd/a, cwd-0123456789ab, of ${HOME}/base, pid 12, 3 ms, 1.5 s, lane 2`
    expect(plainWords(text, PLACES)).toBe(
      '<id 1> <id 2> <id 1> at <temp>/cwd/a, cwd-<hash>, of <workshop>/base, pid N, N ms, N ms, lane 2',
    )
  })

  it('leaves out what is about the run alone', () => {
    const line = {
      scenario: 's',
      status: 'passed',
      findings: [],
      durationMs: 3,
      runDir: 'x',
      stderrTail: 'y',
    }
    expect(plainVerdict(JSON.stringify({ ...line, lanes: [{ left: 0 }] }), PLACES)).toEqual({
      scenario: 's',
      label: 'passed',
      text: '{"scenario":"s","status":"passed","findings":[],"lanes":[{"left":0}]}',
    })
  })
})

describe('departures from what is known', () => {
  const known = red({ kind: 'extra-call', lane: 1 })

  it.each([
    ['nothing where all is the same', known, known, undefined],
    ['what was found where nothing should be', GREEN, known, 'extra-call'],
    ['what was missed', known, GREEN, 'missed:extra-call'],
    [
      'what was taken for something else',
      known,
      red({ kind: 'leftover' }),
      'misnamed:extra-call>leftover',
    ],
    ['other words', known, red({ kind: 'extra-call', lane: 2 }), 'other-words:extra-call'],
  ])('says %s', (_what, before, after, expected) => {
    expect(departure(before, after)).toBe(expected)
  })
})
