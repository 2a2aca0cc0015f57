import { expect, it } from 'vitest'
import { didYouMean, nearest } from '../src/suggest.ts'

it.each([
  ['promt', ['prompt', 'restart'], 'prompt'],
  ['PROMPT', ['cancel', 'prompt'], 'prompt'],
  ['subagent-mutli', ['subagent-multi', 'subagent-mixed'], 'subagent-multi'],
  ['abcdef', ['abcd'], 'abcd'],
  ['abcdef', ['abc'], undefined],
  ['abc', ['abd', 'abe'], 'abd'],
  ['ab', ['abcd', 'abc'], 'abc'],
  ['', ['a'], undefined],
  ['zzz', ['prompt'], undefined],
  ['x', [], undefined],
  ['kitten', ['sitting'], undefined],
  ['kittens', ['sitting', 'mittens'], 'mittens'],
])('nearest to %j of %j is %j', (given, known, wanted) => {
  expect(nearest(given, known)).toBe(wanted)
})

it('takes any collection of names', () => {
  expect(nearest('lllm', new Set(['acp', 'llm']))).toBe('llm')
})

it('asks only when something is near', () => {
  expect(didYouMean('promt', ['prompt'])).toBe(', did you mean "prompt"?')
  expect(didYouMean('zzz', ['prompt'])).toBe('')
})
