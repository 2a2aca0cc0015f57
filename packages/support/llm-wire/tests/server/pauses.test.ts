import { expect, test } from 'vitest'
import type { WirePause } from '../../src/index.ts'
import { Pauses } from '../../src/server/pauses.ts'
import { settle } from '../../src/server/settle.ts'

const signal = (): AbortSignal => new AbortController().signal

test('a hold is reached, told and released, each request that is held there', async () => {
  const told: WirePause[] = []
  const pauses = new Pauses(['p'], (pause) => told.push(pause))
  const reached = pauses.reached('p')
  const stops = [1, 2].map((request) => pauses.stop({ kind: 'hold', name: 'p', request }, signal()))
  await reached
  await pauses.reached('p')
  expect(told).toEqual([
    { kind: 'hold', name: 'p', request: 1 },
    { kind: 'hold', name: 'p', request: 2 },
  ])
  expect(pauses.release('p')).toBe(2)
  expect(() => pauses.release('p')).toThrow(
    expect.objectContaining({
      code: 'NOT_HELD',
      message: 'no request is held at "p" now; await reached("p") before release("p")',
    }),
  )
  await Promise.all(stops)
})

test('a hang cannot be released, and ends with its signal', async () => {
  const pauses = new Pauses(['h'], () => undefined)
  const controller = new AbortController()
  const stop = pauses.stop({ kind: 'hang', name: 'h', request: 1 }, controller.signal)
  await pauses.reached('h')
  expect(() => pauses.release('h')).toThrow('no request is held at "h"')
  controller.abort()
  await stop
})

test('a request that left is not held any more, and one that has left stops nowhere', async () => {
  const told: WirePause[] = []
  const pauses = new Pauses(['p'], (pause) => told.push(pause))
  const controller = new AbortController()
  const stop = pauses.stop({ kind: 'hold', name: 'p', request: 1 }, controller.signal)
  controller.abort()
  await stop
  expect(() => pauses.release('p')).toThrow('no request is held at "p"')
  await pauses.stop({ kind: 'hold', name: 'p', request: 2 }, controller.signal)
  expect(told).toHaveLength(1)
})

test('closing ends the waits, also those that come later', async () => {
  const pauses = new Pauses(['p', 'q'], () => undefined)
  const waiting = pauses.reached('p')
  await pauses.stop({ kind: 'hang', name: 'q', request: 1 }, AbortSignal.abort())
  pauses.close()
  const closed = {
    code: 'CLOSED',
    message: 'the model was closed before a request reached "p"',
  }
  await expect(waiting).rejects.toMatchObject(closed)
  await expect(pauses.reached('p')).rejects.toMatchObject(closed)
})

test('a name that the script does not have is an error', async () => {
  await expect(new Pauses([], () => undefined).reached('x')).rejects.toMatchObject({
    code: 'UNKNOWN_PAUSE',
    message: 'the script has no hang or hold named "x" (it has: none)',
  })
  expect(() => new Pauses(['a', 'b'], () => undefined).release('x')).toThrow(
    'the script has no hang or hold named "x" (it has: "a", "b")',
  )
})

test('settling leaves no listener behind', async () => {
  const controller = new AbortController()
  const counts: string[] = []
  const add = controller.signal.addEventListener.bind(controller.signal)
  const remove = controller.signal.removeEventListener.bind(controller.signal)
  controller.signal.addEventListener = (...args: unknown[]) => {
    counts.push('add')
    ;(add as (...args: unknown[]) => void)(...args)
  }
  controller.signal.removeEventListener = (...args: unknown[]) => {
    counts.push('remove')
    ;(remove as (...args: unknown[]) => void)(...args)
  }
  await settle(controller.signal, (done) => done())
  expect(counts).toEqual(['add', 'remove'])
})
