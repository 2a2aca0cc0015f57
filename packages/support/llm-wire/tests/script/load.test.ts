import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkWireScript, loadWireScript, parseWireScript, WireError } from '../../src/index.ts'

const rule = (answer: unknown, when: unknown = {}): unknown => ({ rules: [{ when, answer }] })

function faultsOf(value: unknown): string {
  try {
    checkWireScript(value, 'wire.json')
  } catch (error) {
    expect(error).toBeInstanceOf(WireError)
    expect((error as WireError).code).toBe('BAD_SCRIPT')
    return (error as WireError).message
  }
  throw new Error('the script was taken')
}

describe('a script', () => {
  test('that says all that can be said is taken as it is', () => {
    const script = {
      defaults: { cut: 3, gapMs: 5, usage: { prompt: 1, completion: 2 } },
      rules: [
        {
          name: 'all',
          when: {
            firstUser: 'a',
            lastUser: { contains: 'b' },
            lastToolResult: { matches: '^c+$' },
            turn: 1,
            step: 2,
            attempt: 3,
            lineage: '0/1',
          },
          answer: {
            reasoning: 'r',
            text: ['t', ''],
            toolCalls: [
              { id: 'x', name: 'bash', arguments: { command: ['ls', 1, null] } },
              { name: 'read', arguments: '{' },
              { name: 'edit', arguments: ['{', '}'] },
            ],
            finish: 'length',
            usage: { prompt: 10, cached: 10, completion: 5, reasoning: 5 },
            usageOn: 'own',
            cut: { size: 1, anywhere: true },
            gapMs: 0,
            keepAlive: 2,
            fault: { kind: 'hold', after: 1, name: 'here' },
          },
          times: 2,
        },
        {
          when: { step: 1 },
          answer: { status: 429, headers: { 'Retry-After': '7' }, body: { error: [true] } },
        },
        {
          when: { step: 2 },
          answer: {
            status: 429,
            headers: {
              'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT',
              Date: 'Thu, 01 Jan 2026 00:00:27 GMT',
            },
          },
        },
      ],
    }
    expect(checkWireScript(script, 'wire.json')).toEqual(script)
    expect(parseWireScript(JSON.stringify(script), 'wire.json')).toEqual(script)
  })

  test('may name the schema that editors check it against', () => {
    const script = rule({ text: 'x' }) as object
    expect(checkWireScript({ $schema: './wire.schema.json', ...script }, 'wire.json')).toEqual(
      script,
    )
    expect(faultsOf({ $schema: 1, rules: [] })).toContain('$schema: Invalid input: expected string')
  })

  test('keeps every key of arguments and bodies', () => {
    const text =
      '{"rules":[{"when":{},"answer":{"toolCalls":[{"name":"x","arguments":{"__proto__":{"a":1},"b":[{"__proto__":2}]}}]}},' +
      '{"when":{"step":1},"answer":{"status":500,"body":{"__proto__":3}}}]}'
    expect(JSON.stringify(parseWireScript(text, 'wire.json'))).toBe(text)
    const lossy = { rules: [{ when: {}, answer: { status: 500, body: { a: undefined } } }] }
    expect(faultsOf(lossy)).toContain('rules[0].answer.body: expected JSON')
  })

  test.each<[string, unknown, string]>([
    ['is no object', [], '(whole file): Invalid input: expected object, received array'],
    ['has no rules', {}, 'rules: Invalid input: expected array, received undefined'],
    ['has an unknown key', { rules: [], x: 1 }, '(whole file): Unrecognized key: "x"'],
    ['has a bad pattern', rule({}, { lastUser: 3 }), 'rules[0].when.lastUser: expected a text, {"'],
    ['has a bad regex', rule({}, { lastUser: { matches: '(' } }), 'not a regular expression'],
    [
      'has step 0',
      rule({}, { step: 0 }),
      'rules[0].when.step: Too small: expected number to be >=1',
    ],
    ['has an unknown facet', rule({}, { user: 'x' }), 'rules[0].when: Unrecognized key: "user"'],
    [
      'mixes the answers',
      rule({ status: 500, text: 'x' }),
      'rules[0].answer: Unrecognized key: "text"',
    ],
    ['has status 199', rule({ status: 199 }), 'rules[0].answer.status: Too small'],
    ['has no answer', { rules: [{ when: {} }] }, 'rules[0].answer: Invalid input: expected object'],
    [
      'has a null answer',
      rule(null),
      'rules[0].answer: Invalid input: expected object, received null',
    ],
    [
      'has a bad text',
      rule({ text: 1 }),
      'rules[0].answer.text: expected a text or a list of texts',
    ],
    [
      'has a cut of 0',
      rule({ cut: 0 }),
      'rules[0].answer.cut: Too small: expected number to be >=1',
    ],
    ['has a cut by name', rule({ cut: 'x' }), 'rules[0].answer.cut: expected a size from 1, or {"'],
    ['has no tool call', rule({ toolCalls: [] }), 'rules[0].answer.toolCalls: Too small'],
    [
      'has numeric arguments',
      rule({ toolCalls: [{ name: 'x', arguments: 1 }] }),
      'rules[0].answer.toolCalls[0].arguments: expected an object, a text or a list of texts',
    ],
    ['has an unknown fault', rule({ fault: { kind: 'x' } }), 'rules[0].answer.fault.kind: Invalid'],
    ['cuts at no place', rule({ fault: { kind: 'cut' } }), 'rules[0].answer.fault.after: Invalid'],
    [
      'breaks a malformed event',
      rule({ fault: { kind: 'malformed', after: 0, data: 'a\nb' } }),
      'rules[0].answer.fault.data: expected one line',
    ],
    [
      'caches more than was prompted',
      rule({ usage: { prompt: 1, cached: 2, completion: 0 } }),
      'rules[0].answer.usage: cached is part of prompt',
    ],
    [
      'reasons more than it completes',
      rule({ usage: { prompt: 1, completion: 1, reasoning: 2 } }),
      'rules[0].answer.usage: reasoning is part of completion',
    ],
    [
      'has a header name with a space',
      rule({ status: 500, headers: { 'a b': 'x' } }),
      'rules[0].answer.headers.a b: not a header that HTTP can carry',
    ],
    [
      'has a header value with a line break',
      rule({ status: 500, headers: { a: 'x\ny' } }),
      'rules[0].answer.headers.a: not a header that HTTP can carry',
    ],
    [
      'asks to wait until a date that nothing is measured from (case R14)',
      rule({ status: 429, headers: { 'Retry-After': 'Thu, 01 Jan 2026 00:00:30 GMT' } }),
      'rules[0].answer.headers.Retry-After: a date is another wait with every recording: expected seconds, or a "date" header beside it',
    ],
    [
      'answers no times',
      { rules: [{ when: {}, answer: {}, times: 0 }] },
      'rules[0].times: Too small',
    ],
  ])('that %s is refused by path', (_, script, expected) => {
    const message = faultsOf(script)
    expect(message).toContain('wire.json is not a wire script:\n  ')
    expect(message).toContain(expected)
  })

  test('names every fault, but not without end', () => {
    const one = faultsOf({ rules: [{ when: { step: 0 }, answer: { gapMs: -1 } }] })
    expect(one).toContain('rules[0].when.step')
    expect(one).toContain('rules[0].answer.gapMs')
    const many = faultsOf({ rules: Array.from({ length: 25 }, () => ({ when: 1, answer: {} })) })
    expect(many.split('\n')).toHaveLength(22)
    expect(many).toMatch(/ {2}and 5 more$/u)
    expect(faultsOf({ rules: Array.from({ length: 20 }, () => 1) })).not.toContain('more')
  })

  test('may not use a name, a pause or a "when" twice', () => {
    const hang = (name?: string): unknown => ({
      fault: { kind: 'hang', after: 0, ...(name && { name }) },
    })
    const message = faultsOf({
      rules: [
        { name: 'a', when: { step: 1, turn: 1 }, answer: hang('rule 2') },
        { name: 'a', when: { turn: 1, step: 1 }, answer: hang() },
        { when: { step: 2 }, answer: hang() },
        { when: { step: 3 }, answer: { fault: { kind: 'cut', after: 0 } } },
        { when: { step: 4 }, answer: { fault: { kind: 'no-done' } } },
        { when: { step: 5 }, answer: { status: 500 } },
      ],
    })
    expect(message.split('\n').slice(1)).toEqual([
      '  rules[1].name: the name of rules[0]',
      '  rules[1].when: the same "when" as rules[0]',
      '  rules[2].answer.fault: the pause name of rules[0]',
    ])
  })
})

describe('a script file', () => {
  test('is read, and named in its faults', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'wire-'))
    onTestFinished(() => rm(dir, { recursive: true }))
    const file = join(dir, 'wire.json')
    await expect(loadWireScript(file)).rejects.toMatchObject({
      code: 'BAD_SCRIPT',
      message: expect.stringMatching(/^cannot read the wire script .*wire\.json: ENOENT/u),
      cause: expect.any(Error),
    })
    await writeFile(file, '{"rules": [')
    await expect(loadWireScript(file)).rejects.toMatchObject({
      code: 'BAD_SCRIPT',
      message: expect.stringContaining(`${file} is not JSON: `),
      cause: expect.any(SyntaxError),
    })
    await writeFile(file, '{"rules": [7]}')
    await expect(loadWireScript(file)).rejects.toThrow(`${file} is not a wire script:\n  rules[0]:`)
    await writeFile(file, '{"rules": []}')
    await expect(loadWireScript(file)).resolves.toEqual({ rules: [] })
  })
})
