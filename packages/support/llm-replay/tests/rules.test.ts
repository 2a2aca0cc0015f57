import { describe, expect, it } from 'vitest'
import { findByRules, type NormaliseRule, replaceInText, ruleProblems } from '../src/index.ts'

const apply = (text: string, ...rules: NormaliseRule[]) => replaceInText(text, findByRules(rules))
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
  const problem = (...rules: NormaliseRule[]) => ruleProblems(rules).join('\n')

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
    expect(problem(rule('a'))).toBe('')
  })
})
