import { describe, expect, it } from 'vitest'
import { Queue } from '../src/queue.ts'

describe('Queue', () => {
  it('gives the first that is open, and looks at each only until it has closed', () => {
    const closed = new Set<number>()
    const looks: number[] = []
    const queue = new Queue([3, 5, 7], (lane) => {
      looks.push(lane)
      return !closed.has(lane)
    })
    expect([queue.first(), queue.first()]).toEqual([3, 3])
    closed.add(3).add(5)
    expect([queue.first(), queue.first()]).toEqual([7, 7])
    closed.add(7)
    expect([queue.first(), queue.first()]).toEqual([undefined, undefined])
    expect(looks).toEqual([3, 3, 3, 5, 7, 7, 7])
  })

  it('looks for an accepted one behind those that have closed', () => {
    const closed = new Set<number>([3])
    const looks: number[] = []
    const queue = new Queue([3, 5], (lane) => {
      looks.push(lane)
      return !closed.has(lane)
    })
    expect([queue.firstThat(() => true), queue.firstThat(() => true)]).toEqual([5, 5])
    expect(looks).toEqual([3, 5, 5, 5, 5])
  })

  it('gives the first open one that is accepted, and passes over none by that', () => {
    const closed = new Set<number>([3, 7])
    const queue = new Queue([3, 5, 7, 9], (lane) => !closed.has(lane))
    expect(queue.firstThat((lane) => lane > 5)).toBe(9)
    expect(queue.firstThat(() => false)).toBeUndefined()
    expect(queue.first()).toBe(5)
    closed.add(5).add(9)
    expect(queue.firstThat(() => true)).toBeUndefined()
  })
})
