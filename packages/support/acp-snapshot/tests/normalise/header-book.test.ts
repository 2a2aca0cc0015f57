import { expect, it } from 'vitest'
import { ANY_ID, HeaderBook } from '../../src/normalise/header-book.ts'
import { Replacer } from '../../src/normalise/replacer.ts'
import { compileRules } from '../../src/normalise/rules.ts'

const [U, V, CALL] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [
  string,
  string,
  string,
]
const newBook = () =>
  new HeaderBook(
    new Replacer({
      cwdAliases: ['/tmp/x', '/private/tmp/x'],
      sessionIds: ['short-session'],
      kept: new Set([CALL]),
      book: ANY_ID,
      own: compileRules([{ pattern: 'v\\d+', token: '{{version}}' }]),
    }),
  )

it('case R13: tells a second prompt from the first, and the first again', () => {
  const book = newBook()
  const tokens = ['a', 'b', 'a', 'c', '', 'b'].map((text) => book.tokenOf('system', text))
  expect(tokens).toEqual([
    '{{system}}',
    '{{system.1}}',
    '{{system}}',
    '{{system.2}}',
    '{{system.3}}',
    '{{system.1}}',
  ])
})

it('case R13: tells tools apart, by their order too, and from prompts', () => {
  const book = newBook()
  const [a, b] = [{ name: 'a', parameters: { type: 'object' } }, { name: 'b' }]
  expect(book.tokenOf('system', 'a')).toBe('{{system}}')
  expect(
    [[a, b], [b, a], [a, b], [{ ...a, description: 'd' }, b], 'a'].map((tools) =>
      book.tokenOf('tools', tools),
    ),
  ).toEqual(['{{tools}}', '{{tools.1}}', '{{tools}}', '{{tools.2}}', '{{tools.3}}'])
})

it('does not tell paths, ids, and what a rule takes, from one another', () => {
  const book = newBook()
  expect(
    [
      `in /tmp/x, I am ${U}, v1`,
      `in /private/tmp/x, I am ${V}, v22`,
      `in /tmp/x, I am ${CALL}, v1`,
      'in /tmp/x, I am short-session, v1',
      `in /tmp/y, I am ${U}, v1`,
    ].map((text) => book.tokenOf('system', text)),
  ).toEqual(['{{system}}', '{{system}}', '{{system}}', '{{system}}', '{{system.1}}'])
  expect(book.tokenOf('tools', [{ [`in /tmp/x/${U}`]: 1 }])).toBe('{{tools}}')
  expect(book.tokenOf('tools', [{ [`in /private/tmp/x/${V}`]: 1 }])).toBe('{{tools}}')
})

it('keeps tokens, and counts after them', () => {
  const book = newBook()
  expect(book.tokenOf('system', '{{system.4}}')).toBe('{{system.4}}')
  expect(book.tokenOf('system', '{{system}}')).toBe('{{system}}')
  expect(book.tokenOf('system', 'a')).toBe('{{system.5}}')
  // Neither the token of the other part nor a prompt that holds one.
  expect(book.tokenOf('system', '{{tools}}')).toBe('{{system.6}}')
  expect(book.tokenOf('system', 'say {{system.9}}')).toBe('{{system.7}}')
  expect(book.tokenOf('system', 'I am {{id.3}}')).toBe('{{system.8}}')
  expect(book.tokenOf('system', 'I am {{id.4}}')).toBe('{{system.9}}')
  expect(book.see('tools', ['{{tools}}'])).toBe(false)
  expect(book.tokenOf('tools', [])).toBe('{{tools}}')
})
