import { describe, expect, test } from 'vitest'
import { prepareRules } from '../../src/script/prepare.ts'
import type { StreamAnswer, WireAnswer, WireDefaults, WireRule } from '../../src/index.ts'

const prepare = (answer: WireAnswer, cwd?: string, defaults?: WireDefaults) =>
  prepareRules(
    { rules: [{ when: {}, answer }], ...(defaults && { defaults }) },
    cwd,
    'wire.json',
  )[0]?.answer

describe('{{cwd}}', () => {
  test('is filled in before the cut, in every text of an answer', () => {
    const answer: StreamAnswer = {
      reasoning: 'in {{cwd}}',
      text: ['{{cwd}}/a {{cwd}}', '.'],
      toolCalls: [
        { name: 'read', arguments: { file_path: '{{cwd}}/a' } },
        { name: 'read', arguments: '{"p":"{{cwd}}"}' },
        { name: 'read', arguments: ['{"p":"', '{{cwd}}/b', '"}'] },
      ],
      cut: 4,
    }
    expect(prepare(answer, '/w/$&x')).toMatchObject({
      reasoning: ['in /', 'w/$&', 'x'],
      text: ['/w/$&x/a /w/$&x', '.'],
      calls: [
        { arguments: ['{"fi', 'le_p', 'ath"', ':"/w', '/$&x', '/a"}'] },
        { arguments: ['{"p"', ':"/w', '/$&x', '"}'] },
        { arguments: ['{"p":"', '/w/$&x/b', '"}'] },
      ],
    })
  })

  test('is written into JSON as JSON, and elsewhere as it is', () => {
    const cwd = '/w "\\'
    const stream = prepare(
      { text: '{{cwd}}', toolCalls: [{ name: 'x', arguments: { p: '{{cwd}}' } }] },
      cwd,
    )
    expect(stream).toMatchObject({
      text: [cwd],
      calls: [{ arguments: [JSON.stringify({ p: cwd })] }],
    })
    expect(prepare({ status: 500, body: { at: '{{cwd}}' } }, cwd)).toMatchObject({
      body: JSON.stringify({ at: cwd }),
    })
    expect(prepare({ status: 500, body: 'at {{cwd}}' }, cwd)).toMatchObject({ body: `at ${cwd}` })
  })

  test('is cut into as many parts as are written, however long it is', () => {
    const thirds = ['{{cwd:1/3}}', '{{cwd:2/3}}', '{{cwd:3/3}}/a']
    const text = (cwd: string) =>
      (prepare({ text: thirds }, cwd) as unknown as { text: string[] }).text
    expect(text('/srv/xy')).toEqual(['/s', 'rv', '/xy/a'])
    expect(text('/$&')).toEqual(['/', '$', '&/a'])
    expect(text('/a/much/longer/path').join('')).toBe('/a/much/longer/path/a')
    expect(() => prepare({ text: thirds })).toThrow(/was given no cwd/)
  })

  test('is filled into patterns, literally', () => {
    const when: WireRule['when'] = {
      firstUser: 'in {{cwd}}',
      lastUser: { contains: '{{cwd}}/' },
      lastToolResult: { matches: '^{{cwd}}/x+$' },
      step: 2,
    }
    const [rule] = prepareRules({ rules: [{ when, answer: {} }] }, '/a.b+(c)', 'wire.json')
    expect(rule?.when).toEqual({
      firstUser: 'in /a.b+(c)',
      lastUser: { contains: '/a.b+(c)/' },
      lastToolResult: { matches: String.raw`^\/a\.b\+\(c\)/x+$` },
      step: 2,
    })
  })

  test('cannot be filled in without a cwd, nor where pieces split it', () => {
    expect(() => prepare({ text: '{{cwd}}' })).toThrow(
      'wire.json is not a wire script:\n  rules[0]: says {{cwd}}, but the model was given no cwd',
    )
    expect(() => prepare({ text: ['{{cwd}} {{c', 'wd}}'] }, '/w')).toThrow(
      'rules[0]: spreads {{cwd}} over pieces, where it cannot be filled in',
    )
    expect(prepare({ text: 'no {{token}}' })).toMatchObject({ text: ['no {{token}}'] })
  })
})

describe('defaults', () => {
  test('hold for answers that say nothing', () => {
    const usage = { prompt: 1, completion: 1 }
    const defaults = { cut: 1, gapMs: 9, usage }
    expect(prepare({ text: 'ab' }, undefined, defaults)).toEqual({
      kind: 'stream',
      reasoning: [],
      text: ['a', 'b'],
      calls: [],
      finish: 'stop',
      usage,
      usageOn: 'finish',
      gapMs: 9,
      keepAlive: 0,
    })
    const own = { cut: 2, gapMs: 0, usage: { prompt: 2, completion: 2 } }
    expect(prepare({ text: 'ab', ...own }, undefined, defaults)).toMatchObject({
      text: ['ab'],
      gapMs: 0,
      usage: own.usage,
    })
  })

  test('without any: one piece, no usage, arguments empty, a provider-like error', () => {
    const answer = prepare({ toolCalls: [{ name: 'x' }], text: 'a'.repeat(5000) })
    expect(answer).toMatchObject({
      text: ['a'.repeat(5000)],
      calls: [{ name: 'x', arguments: [] }],
      finish: 'tool_calls',
      gapMs: 0,
    })
    expect(answer).not.toHaveProperty('usage')
    const status = prepare({ status: 503 }) as { body: string; headers: object }
    expect(status.headers).toEqual({})
    expect(JSON.parse(status.body)).toEqual({
      error: {
        message: 'scripted failure (HTTP 503)',
        type: 'scripted',
        param: null,
        code: 'scripted',
      },
    })
  })

  test('name rules and pauses by position', () => {
    const fault = { kind: 'hang' as const, after: 0 }
    const rules = prepareRules(
      {
        rules: [
          { when: {}, answer: {} },
          { name: 'b', when: {}, answer: { fault }, times: 3 },
          { when: {}, answer: { fault: { ...fault, name: 'p' } } },
        ],
      },
      undefined,
      'wire.json',
    )
    expect(rules).toMatchObject([
      { index: 0, key: '0', times: 1 },
      { index: 1, key: 'b', name: 'b', times: 3, answer: { pause: 'rule 1' } },
      { index: 2, key: '2', answer: { pause: 'p' } },
    ])
    expect(rules[0]).not.toHaveProperty('name')
    expect(rules[0]?.answer).not.toHaveProperty('pause')
  })
})

test('a fault behind the end of its answer is refused', () => {
  const fault = (after: number): StreamAnswer => ({
    text: 'ab',
    cut: 1,
    fault: { kind: 'cut', after },
  })
  expect(() => prepare(fault(5))).toThrow(
    'rules[0]: its fault comes after 5 events, but its answer has 4',
  )
  expect(prepare(fault(4))).toMatchObject({ fault: { after: 4 } })
})
