import { expect, it } from 'vitest'
import { cwdTokens } from '../../src/cwd.ts'
import { normalText } from '../../src/requests/normal-text.ts'

const paths = cwdTokens(['/live'])

it('has tokens for paths where there are no rules', () => {
  expect(normalText([])('in /live/a, build-1', paths)).toBe('in {{cwd}}/a, build-1')
})

it('has those of rules before those of paths, until nothing changes', () => {
  const normal = normalText([
    { pattern: 'at /live/\\d', token: '{{place}}' },
    { pattern: 'q', token: '{{q}}' },
    { pattern: '(?<!q)y', token: '{{y}}' },
  ])
  expect(normal('at /live/1, /live/2', paths)).toBe('{{place}}, {{cwd}}/2')
  expect(normal('qy', paths)).toBe('{{q}}{{y}}')
})

it('refuses rules that cannot be any, all of them', () => {
  const rules = [
    { pattern: '(', token: '{{a}}' },
    { pattern: 'a', token: 'b' },
  ]
  expect(() => normalText(rules)).toThrow(
    expect.objectContaining({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(/normalise\[0\]\.pattern: .*; normalise\[1\]\.token: /),
    }),
  )
})
