import { expect, it } from 'vitest'
import { shareOf } from '../../src/project/part.ts'

it('gives every name to one share', () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  expect(shareOf(names, '1/2')).toEqual(['a', 'c', 'e'])
  expect(shareOf(names, '2/2')).toEqual(['b', 'd'])
  expect(shareOf(names, '1/1')).toEqual(names)
  expect(shareOf(names, '7/7')).toEqual([])
})

it('refuses what is no share', () => {
  for (const part of ['', '1', '0/2', '3/2', '1/2/3', 'a/b', '-1/2', '1/0', '1.5/2']) {
    expect(() => shareOf(['a'], part)).toThrow(`part must be as "1/2", got ${JSON.stringify(part)}`)
  }
})
