import { describe, expect, it } from 'vitest'
import { compareObserved } from '../../faults/observe.mjs'

const seen = (...lines: string[]) => new Map([['text-turn', lines]])

describe('comparing a survivor with the sound product', () => {
  it('finds them equal line by line, and gives both digests', () => {
    const { equal, text } = compareObserved(seen('a', 'b'), seen('a', 'b'))
    expect(equal).toBe(true)
    const [, one, two] = /^1 scenarios, 2 lines, (\w{12}) and (\w{12})$/.exec(text) ?? []
    expect(one).toBe(two)
  })

  it.each([
    [['a', 'b'], ['a', 'c'], 'text-turn, line 2: b became c'],
    [['a'], ['a', 'c'], 'text-turn, line 2: nothing became c'],
    [['a', 'b'], ['a'], 'text-turn, line 2: b became nothing'],
  ])('says where %j and %j part', (before, after, text) => {
    expect(compareObserved(seen(...before), seen(...after))).toEqual({ equal: false, text })
  })

  it('misses no scenario', () => {
    expect(compareObserved(seen('a'), new Map()).equal).toBe(false)
  })
})
