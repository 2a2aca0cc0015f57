import { expect, test } from 'vitest'
import { KeyedLocks } from '../src/locks.ts'

function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

test('tasks of one key take turns, those of another do not wait', async () => {
  const locks = new KeyedLocks()
  const log: string[] = []
  const first = gate()
  const one = locks.run('a', async () => {
    log.push('1 begins')
    await first.opened
    log.push('1 ends')
    return 1
  })
  const two = locks.run('a', () => {
    log.push('2')
    return Promise.resolve(2)
  })
  expect(await locks.run('b', () => Promise.resolve('other'))).toBe('other')
  expect(log).toEqual(['1 begins'])
  first.open()
  expect(await Promise.all([one, two])).toEqual([1, 2])
  expect(log).toEqual(['1 begins', '1 ends', '2'])
})

test('a failure reaches its caller and not the next one', async () => {
  const locks = new KeyedLocks()
  const failing = locks.run('a', () => Promise.reject(new Error('no')))
  const next = locks.run('a', () => Promise.resolve('yes'))
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('yes')
})

test('keeps nothing for keys that are not in use', async () => {
  const locks = new KeyedLocks()
  const first = gate()
  const one = locks.run('a', () => first.opened)
  const two = locks.run('a', () => Promise.resolve())
  expect(locks.size).toBe(1)
  first.open()
  await one
  expect(locks.size).toBe(1)
  await two
  expect(locks.size).toBe(0)
})
