import { describe, expect, test } from 'vitest'
import { didYouMean, nearest } from '../src/nearest.ts'

describe('nearest', () => {
  test.each([
    ['llm-deepseak', ['llm-replay', 'llm-deepseek', 'acp'], 'llm-deepseek'],
    ['disable', ['id', 'disabled', 'isolate'], 'disabled'],
    ['ab', ['ba', 'abc'], 'abc'],
    ['', ['abc', 'a', 'ab'], 'a'],
    ['kitten', ['sitting', 'mitten'], 'mitten'],
  ])('%s of %j is %s', (name, candidates, expected) => {
    expect(nearest(name, candidates)).toBe(expected)
  })

  test('takes the first of equally near ones', () => {
    expect(nearest('aa', ['ab', 'ac'])).toBe('ab')
  })

  test('has nothing to say without candidates', () => {
    expect(nearest('a', [])).toBeUndefined()
    expect(didYouMean('a', [])).toBe('')
  })

  test('phrases a question', () => {
    expect(didYouMean('lllm', new Set(['acp', 'llm']))).toBe(' (did you mean "llm"?)')
  })
})
