import { describe, expect, it } from 'vitest'
import { inOrder } from '../../src/cli/in-order.ts'

/** Work that ends when the test says so. */
function held() {
  const ends = new Map<string, () => void>()
  const begun: string[] = []
  const work = (item: string) => {
    begun.push(item)
    return new Promise<string>((resolve) => ends.set(item, () => resolve(item.toUpperCase())))
  }
  const end = async (item: string) => {
    ends.get(item)?.()
    // Lets everything that follows from it happen.
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
  }
  return { work, begun, end }
}

describe('inOrder', () => {
  it('runs so many at a time, and hands out in order', async () => {
    const { work, begun, end } = held()
    const handed: string[] = []
    const hand = (result: string) => void handed.push(result)
    const done = inOrder(['a', 'b', 'c'], 2, work, hand, new AbortController().signal)
    expect(begun).toEqual(['a', 'b'])
    await end('b')
    expect([begun, handed]).toEqual([['a', 'b', 'c'], []])
    await end('a')
    expect(handed).toEqual(['A', 'B'])
    await end('c')
    await done
    expect(handed).toEqual(['A', 'B', 'C'])
  })

  it('begins nothing more once it is stopped, and waits for what runs', async () => {
    const { work, begun, end } = held()
    const stop = new AbortController()
    const handed: string[] = []
    const done = inOrder(['a', 'b'], 1, work, (result) => void handed.push(result), stop.signal)
    stop.abort()
    await end('a')
    await done
    expect([begun, handed]).toEqual([['a'], ['A']])
  })

  it('has more workers than work', async () => {
    const handed: number[] = []
    const work = (item: number) => Promise.resolve(item)
    await inOrder([1], 8, work, (item) => void handed.push(item), new AbortController().signal)
    expect(handed).toEqual([1])
  })
})
