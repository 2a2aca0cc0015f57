import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { replaceInText } from 'dsh-llm-replay'
import { createNormaliser } from '../../src/normalise/normaliser.ts'
import { compileRules } from '../../src/normalise/rules.ts'
import type { NormaliseRule } from '../../src/normalise/types.ts'
import { header, jsonl } from '../temp.ts'

const apply = (text: string, ...rules: NormaliseRule[]) => replaceInText(text, compileRules(rules))
const rule = (pattern: string | RegExp, token = '{{x}}'): NormaliseRule => ({ pattern, token })

describe('finds', () => {
  it('every match, wherever it stands', () => {
    expect(apply('took 12 ms, then 7 ms', rule('\\d+ ms', '{{time}}'))).toBe(
      'took {{time}}, then {{time}}',
    )
    expect(apply('none', rule('\\d+'))).toBe('none')
  })

  it('the earlier rule where two overlap, then the earlier match', () => {
    const one = rule('b1', '{{one}}')
    const two = rule('[a-c]+\\d', '{{two}}')
    expect(apply('ab1 c2', one, two)).toBe('a{{one}} {{two}}')
    expect(apply('ab1 c2', two, one)).toBe('{{two}} {{two}}')
  })

  it('nothing in a token, and goes on behind it', () => {
    expect(apply('{{cwd}}/a {{id.1}}{{session.2}}', rule('\\w+'))).toBe(
      '{{cwd}}/{{x}} {{id.1}}{{session.2}}',
    )
    expect(apply('{{x}}b', rule('.+'))).toBe('{{x}}{{x}}')
    expect(apply('a{{x}}', rule('a.*'))).toBe('a{{x}}')
  })

  it('no empty text', () => {
    expect(apply('axbx', rule('(?=x)|b'))).toBe('ax{{x}}x')
    expect(apply('bab', rule('(?=a)'))).toBe('bab')
  })

  it('by the flags of a regular expression, always all and by code points', () => {
    expect(apply('Ab\nab', rule(/^a/im))).toBe('{{x}}b\n{{x}}b')
    expect(apply('Ab aB', rule(/ab/))).toBe('Ab aB')
    expect(apply('a.b', rule(/a.b/gu))).toBe('{{x}}')
    // Half a character is none.
    expect(apply('😀', rule('\\ud83d'))).toBe('😀')
    const shared = /a/g
    shared.lastIndex = 1
    expect(apply('aa', rule(shared))).toBe('{{x}}{{x}}')
  })
})

describe('refuses', () => {
  const problem = (...rules: NormaliseRule[]): string => {
    try {
      compileRules(rules)
    } catch (error) {
      expect(error).toMatchObject({ code: 'BAD_CONFIG' })
      return (error as Error).message
    }
    throw new Error('was accepted')
  }

  it('a pattern that is none, or matches everywhere', () => {
    expect(problem(rule('('))).toMatch(/^normalise\[0\]\.pattern: no regular expression.*\(/)
    expect(problem(rule('a'), rule('x*'))).toBe(
      'normalise[1].pattern: it matches the empty text, so it would match everywhere; ask for one character at least',
    )
    expect(problem(rule(/a/y))).toBe('normalise[0].pattern: flags may be g, i, m, s and u, got "y"')
  })

  it('a token that is none, or has a meaning', () => {
    for (const token of ['x', '{{}}', '{{X}}', '{{a.1}}', '{{a}} ', ' {{a}}', '{{a b}}']) {
      expect(problem(rule('a', token))).toContain(
        `normalise[0].token: expected a name in double braces, as "{{version}}", got ${JSON.stringify(token)}`,
      )
    }
    for (const name of ['cwd', 'session', 'sessionId', 'id', 'system', 'tools']) {
      expect(problem(rule('a', `{{${name}}}`))).toBe(
        `normalise[0].token: {{${name}}} has a meaning of its own; choose another name`,
      )
    }
  })

  it('all at once', () => {
    expect(problem(rule('(', 'x'), rule('', '{{id}}')).split('\n')).toHaveLength(4)
  })
})

const ID = '019a4d7c-1111-7000-8000-000000000001'
const chunk = (text: string, index = 0) => ({
  type: 'assistant/chunk',
  seq: index,
  time: 0,
  data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text } },
})
const normaliser = (rules: readonly NormaliseRule[]) =>
  createNormaliser({ sessionIds: ['s-abcdefgh'], cwdAliases: ['/tmp/run'], rules })

describe('in outputs', () => {
  it('over the joined deltas of a block', () => {
    const log = jsonl(header('s-abcdefgh'), ...['bui', 'ld-1', '23 ok'].map(chunk))
    const texts = normaliser([rule('build-\\d+', '{{build}}')])
      .log(log, 0)
      .match(/"text":"[^"]*"/g)
    expect(texts).toEqual(['"text":"{{build}}"', '"text":""', '"text":" ok"'])
  })

  it('in every text, and in no key and no word of the formats', () => {
    const line = JSON.stringify({
      jsonrpc: '2.0',
      method: 'session/update',
      params: { update: { sessionUpdate: 'tool_call', title: 'update tool', update: 1 } },
    })
    const [normal] = normaliser([rule('update|tool|2', '{{w}}')]).stdout([line])
    expect(JSON.parse(normal as string)).toEqual({
      jsonrpc: '2.0',
      method: 'session/update',
      params: { update: { sessionUpdate: 'tool_call', title: '{{w}} {{w}}', update: 1 } },
    })
  })

  it('before paths and ids, and beside them', () => {
    const lines = [`{"a":"req-${ID} ${ID} /tmp/run/out-7"}`]
    const rules = [rule('req-[-0-9a-f]+', '{{request}}'), rule('out-\\d', '{{out}}')]
    expect(normaliser(rules).stdout(lines)).toEqual([
      '{"a":"{{request}} {{id.1}} {{cwd}}/{{out}}"}',
    ])
    // What a rule took is not counted as an id.
    expect(normaliser([]).stdout(lines)).toEqual(['{"a":"req-{{id.1}} {{id.1}} {{cwd}}/out-7"}'])
  })

  it('until nothing changes: what one rule leaves may be the next match of another', () => {
    const rules = [rule('q', '{{q}}'), rule('(?<!q)y', '{{y}}')]
    expect(normaliser(rules).stdout(['{"a":"qy"}'])).toEqual(['{"a":"{{q}}{{y}}"}'])
    const word = [rule('x', '{{w}}')]
    expect(normaliser(word).stdout([`{"a":"x${ID}"}`])).toEqual(['{"a":"{{w}}{{id.1}}"}'])
  })

  it('refuses what are no rules before it looks at anything', () => {
    expect(() => normaliser([rule('(')])).toThrow('normalise[0].pattern')
  })
})

it('normalising what is normal changes nothing, whatever the rules and the cuts', () => {
  const patterns = ['a+', '(?<!a)b', 'b(?=c)', 'c.', '^a', '.c$', '[^ab]{2}', 'a{{|b}}', '\\W+']
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ' ', '{{x}}', '{{cwd}}', '/tmp/run', ID, '"', '\\', '😀'))
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...patterns), { minLength: 1, maxLength: 4 }),
      fc.array(text, { minLength: 1, maxLength: 4 }),
      (chosen, pieces) => {
        const rules = chosen
          .filter((pattern) => !pattern.includes('{{'))
          .map((pattern, index) => rule(pattern, `{{t${index}}}`))
        const log = jsonl(header('s-abcdefgh'), ...pieces.map(chunk))
        const once = normaliser(rules).log(log, 0)
        expect(normaliser(rules).log(once, 0)).toBe(once)
        const joined = (of: string) =>
          of
            .split('\n')
            .slice(1, -1)
            .map((line) => (JSON.parse(line) as ReturnType<typeof chunk>).data.chunk.text)
            .join('')
        const whole = normaliser(rules).log(jsonl(header('s-abcdefgh'), chunk(pieces.join(''))), 0)
        expect(joined(once)).toBe(joined(whole))
      },
    ),
  )
})
