import { expect, it } from 'vitest'
import { summaryLines } from '../../src/cli/summary.ts'
import { scriptInvocation } from '../../src/verdict/invocation.ts'

const go = scriptInvocation('go')

it('names all reds by what helps, with one command for all of a kind', () => {
  const reds = [
    { name: 'a', remedy: 'refresh' },
    { name: 'b', remedy: 'record' },
    { name: 'c', remedy: 'fix' },
    { name: 'd', remedy: 'refresh' },
    { name: 'e' },
    { name: 'f', remedy: 'by-hand' },
  ] as const
  expect(summaryLines(reds, go)).toEqual([
    '✗ 6 red, by what makes them green if the new behaviour is wanted:',
    '  mend      c, e, f',
    '  record    go:record b',
    '  refresh   go:refresh a d',
  ])
})

it('says nothing of a single red, which is on the screen', () => {
  expect(summaryLines([{ name: 'a', remedy: 'refresh' }], go)).toEqual([])
  expect(summaryLines([], go)).toEqual([])
})
