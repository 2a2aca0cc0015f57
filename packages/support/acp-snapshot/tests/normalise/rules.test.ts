import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type NormaliseRule, replaceInText } from 'dsh-llm-replay'
import { createNormaliser } from '../../src/normalise/normaliser.ts'
import { compileRules } from '../../src/normalise/rules.ts'
import { header, jsonl } from '../temp.ts'

const rule = (pattern: string | RegExp, token = '{{x}}'): NormaliseRule => ({ pattern, token })

it('names every rule that cannot be one', () => {
  const rules = [rule('('), rule('a'), rule('b', 'x')]
  expect(() => compileRules(rules)).toThrow(
    expect.objectContaining({
      code: 'BAD_CONFIG',
      message: expect.stringMatching(
        /^normalise\[0\]\.pattern: .*\nnormalise\[2\]\.token: [^\n]*$/,
      ),
    }),
  )
  expect(replaceInText('ab', compileRules([rule('a')]))).toBe('{{x}}b')
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
