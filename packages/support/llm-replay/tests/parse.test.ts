import { describe, expect, it } from 'vitest'
import { parseSessionHeader, parseSessionLog, ReplayError } from '../src/index.ts'
import { event, header, logText } from './helpers/log.ts'

function problem(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    expect(error).toBeInstanceOf(ReplayError)
    expect((error as ReplayError).code).toBe('FIXTURE_INVALID')
    return (error as ReplayError).message
  }
  throw new Error('did not throw')
}

const headText = (fields: object): string => JSON.stringify({ ...header(), ...fields })

describe('parseSessionHeader', () => {
  it('reads line 0 and keeps unknown keys', () => {
    const text = logText(header({ delegationDepth: 1, seedLength: 0 }), [{ broken: true }])
    expect(parseSessionHeader(text)).toEqual(header({ delegationDepth: 1, seedLength: 0 }))
  })

  it('reads a header without version, cwd or final newline', () => {
    expect(parseSessionHeader('{"type":"session","id":"a","createdAt":5}')).toEqual({
      type: 'session',
      id: 'a',
      createdAt: 5,
      version: 0,
    })
  })

  it.each([
    [
      '{"type":"session"',
      /^llm-replay: s\.jsonl:1: not JSON \(.+\); the line is "\{\\"type\\":\\"session\\""$/,
    ],
    ['', /s\.jsonl:1: not JSON \(.+\); the line is empty$/],
    ['[1]', 's.jsonl:1: expected an object, not [1]'],
    ['null', 's.jsonl:1: expected an object, not null'],
    ['{"type":"turn/start"}', 's.jsonl:1: expected the session header, not {"type":"turn/start"}'],
    [
      headText({ version: 1 }),
      's.jsonl:1: unsupported session format version 1 for "primary" (only v0 is supported)',
    ],
    [headText({ version: null }), 'version null for "primary" (only v0 is supported)'],
    [headText({ id: '' }), `the header's "id" must be a non-empty string, not ""`],
    [headText({ id: 1 }), `the header's "id" must be a non-empty string, not 1`],
    [headText({ createdAt: '1' }), `the header's "createdAt" must be a number, not "1"`],
    [headText({ cwd: null }), `the header's "cwd" must be a string, not null`],
    [headText({ parentSession: 7 }), `the header's "parentSession" must be a string, not 7`],
    [headText({ seedLength: -1 }), `"seedLength" must be an integer of 0 or more, not -1`],
    [headText({ seedLength: 0.5 }), `"seedLength" must be an integer of 0 or more, not 0.5`],
    [headText({ seedLength: null }), `"seedLength" must be an integer of 0 or more, not null`],
    [headText({ root: -1 }), `the header's "root" must be a non-negative integer`],
    [headText({ root: null }), `the header's "root" must be a non-negative integer`],
    [
      headText({ parentSession: 'p', spawnedBy: { turn: 1, step: 1, call: 0 } }),
      `the header's "spawnedBy" must be {turn, step, call or plugin, index, callId?}`,
    ],
    [
      headText({ parentSession: 'p', spawnedBy: null }),
      `the header's "spawnedBy" must be {turn, step, call or plugin, index, callId?}`,
    ],
    [headText({ seedLength: '2' }), `"seedLength" must be an integer of 0 or more, not "2"`],
  ])('refuses %s', (text, message) => {
    const found = problem(() => parseSessionHeader(text, 's.jsonl'))
    if (typeof message === 'string') expect(found).toContain(message)
    else expect(found).toMatch(message)
  })

  it('names an unnamed text in the message, and cuts long values', () => {
    const message = problem(() => parseSessionHeader(JSON.stringify('x'.repeat(500))))
    expect(message).toBe(`llm-replay: session log:1: expected an object, not "${'x'.repeat(199)}…`)
  })
})

describe('parseSessionLog', () => {
  const one = event(4, 'user/message', { content: [] }, { surfaceOp: 'append' })

  it('reads events verbatim, whatever their type, with gaps in seq', () => {
    const other = event(9, 'plugin/thing', null, { extra: [1] })
    expect(parseSessionLog(logText(header(), [one, other]))).toEqual([one, other])
  })

  it('reads a header-only log, and a last line without newline', () => {
    expect(parseSessionLog(logText(header(), []))).toEqual([])
    expect(parseSessionLog(logText(header(), [one]).trimEnd())).toEqual([one])
  })

  it('refuses a log without header', () => {
    expect(problem(() => parseSessionLog(logText(one, []), 'f'))).toContain(
      'f:1: expected the session header',
    )
  })

  it.each([
    ['a torn last line', `${JSON.stringify(one)}\n{"type":"x","se`, 'f:3: not JSON ('],
    ['an empty line', `\n${JSON.stringify(one)}\n`, 'f:2: not JSON ('],
    ['an empty line at the end', `${JSON.stringify(one)}\n\n`, 'f:3: not JSON ('],
    ['an array', '[]\n', 'f:2: expected an object, not []'],
    ['no type', '{"seq":0,"time":0}', 'f:2: "type" must be a non-empty string, not undefined'],
    [
      'a bad seq',
      '{"type":"x","seq":-1,"time":0}',
      'f:2: "seq" must be a non-negative integer, not -1',
    ],
    [
      'a bad time',
      '{"type":"x","seq":1,"time":"now"}',
      'f:2: "time" must be epoch milliseconds, a safe integer, not "now"',
    ],
    ['no data', '{"type":"x","seq":1,"time":0}', 'f:2: "data" is missing'],
  ])('case R9: refuses %s, with file and line', (_, body, message) => {
    const text = logText(header(), []) + body
    expect(problem(() => parseSessionLog(text, 'f'))).toContain(`llm-replay: ${message}`)
  })

  it('restores seq and time of the projected form, rows counted by their members', () => {
    const data = { turn: 1, step: 2, index: 0, dt: [3, 4], texts: ['a', 'b', 'c'] }
    const lines = [
      { type: 'turn/start', data: {} },
      { type: 'text-chunks', data },
      { type: 'turn/end', data: {} },
    ]
    const parsed = parseSessionLog(logText(header(), lines))
    expect(parsed.map(({ type, seq, time }) => [type, seq, time])).toEqual([
      ['turn/start', 0, 0],
      ['assistant/chunk', 1, 0],
      ['assistant/chunk', 2, 3],
      ['assistant/chunk', 3, 7],
      ['turn/end', 4, 0],
    ])
  })

  it.each([
    [
      'lacks',
      [
        { type: 'x', seq: 0, time: 0, data: 1 },
        { type: 'y', data: 1 },
      ],
    ],
    [
      'has',
      [
        { type: 'x', data: 1 },
        { type: 'y', seq: 1, time: 0, data: 1 },
      ],
    ],
  ])('refuses a file that is half projected: the second line %s them', (word, lines) => {
    expect(problem(() => parseSessionLog(logText(header(), lines), 'f'))).toBe(
      `llm-replay: f:3: a log has "seq" and "time" on every line or on none; this line ${word} them`,
    )
  })

  it('names file and line of a malformed row', () => {
    const row = { type: 'text-chunks', seq0: 0, time0: 0, data: {} }
    expect(problem(() => parseSessionLog(logText(header(), [row]), 'f'))).toBe(
      'llm-replay: f:2: malformed text-chunks storage row: data keys are [], expected exactly ["turn","step","index","dt","texts"]',
    )
  })
})
