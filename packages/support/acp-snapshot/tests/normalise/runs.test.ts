import { expect, it } from 'vitest'
import { Replacer } from '../../src/normalise/replacer.ts'
import { Runs } from '../../src/normalise/runs.ts'
import { TokenBook } from '../../src/normalise/tokens.ts'
import { mapStrings } from '../../src/normalise/walk.ts'

const replacer = new Replacer({
  cwdAliases: ['/w'],
  sessionIds: [],
  book: new TokenBook(),
  kept: new Set(),
})

it('tells the texts whole, each where it begins, and none that never came', () => {
  const runs = new Runs()
  runs.open()
  const add = runs.open()
  add({ line: 3, path: ['a', 0], text: 'x/' })
  add({ line: 5, path: ['b'], text: 'y' })
  expect(runs.wholes()).toEqual([{ line: 3, path: ['a', 0], text: 'x/y' }])
  expect(runs.joined()).toEqual(['x/y'])
})

it('puts each piece into a copy of its line, and leaves lines without pieces as they are', () => {
  const runs = new Runs()
  const add = runs.open()
  add({ line: 0, path: ['a', 1], text: 'in /' })
  add({ line: 1, path: ['t'], text: 'w' })
  const [first, second, third] = [{ a: ['-', 'in /'] }, { t: 'w' }, { t: '/w' }]
  const plain = (value: unknown): unknown => mapStrings(value, { text: String, word: String })
  expect(plain(runs.settle(first, 0, replacer))).toEqual({ a: ['-', 'in {{cwd}}'] })
  expect(plain(runs.settle(second, 1, replacer))).toEqual({ t: '' })
  expect(runs.settle(third, 2, replacer)).toBe(third)
  expect([first, second]).toEqual([{ a: ['-', 'in /'] }, { t: 'w' }])
})
