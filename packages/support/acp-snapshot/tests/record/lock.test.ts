import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { processMark } from 'dsh-brand'
import { describe, expect, it } from 'vitest'
import { takeLock } from '../../src/record/lock.ts'
import { tempTree } from '../temp.ts'

let next = 0
const options = (running: boolean | ((mark: string) => boolean) = true) => ({
  ids: { uuid: () => `id-${(next += 1)}` },
  owner: 'here:42:s',
  isRunning: typeof running === 'function' ? running : () => running,
})
const place = () => join(tempTree({}), '.one.lock')
const left = (file: string) => readdirSync(dirname(file))

it('is held until it is released, and leaves nothing', async () => {
  const file = place()
  const lock = await takeLock(file, options())
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ owner: 'here:42:s' })
  await lock.release()
  expect(left(file)).toEqual([])
  await lock.release()
})

it('refuses a second owner while the first one runs', async () => {
  const file = place()
  await takeLock(file, options())
  await expect(takeLock(file, options())).rejects.toMatchObject({
    code: 'BUSY',
    message: expect.stringContaining('process 42 on here holds') as string,
  })
  expect(left(file)).toEqual(['.one.lock'])
})

it('takes over from an owner that is gone', async () => {
  const file = place()
  await takeLock(file, options())
  const asked: string[] = []
  const lock = await takeLock(
    file,
    options((mark) => asked.push(mark) === 0),
  )
  expect(asked).toEqual(['here:42:s'])
  expect(left(file)).toEqual(['.one.lock'])
  await lock.release()
  expect(existsSync(file)).toBe(false)
})

it('asks the system about the owner, whose number alone says nothing', async () => {
  const file = place()
  const { ids } = options()
  const lock = await takeLock(file, { ids })
  await expect(takeLock(file, { ids })).rejects.toThrow(`process ${process.pid} on `)
  await lock.release()
  // A process of our own number that was started at another time.
  const owner = `${processMark().replace(/[^:]*$/, '')}elsewhen.1`
  writeFileSync(file, JSON.stringify({ owner, id: 'x' }))
  await (await takeLock(file, { ids })).release()
  expect(left(file)).toEqual([])
})

it('does not take what it cannot read for abandoned', async () => {
  const file = place()
  writeFileSync(file, 'half')
  await expect(takeLock(file, options(false))).rejects.toThrow(/an unknown process holds/)
})

describe('two that take over at once', () => {
  it('one of them finds the lock gone', async () => {
    const file = place()
    await takeLock(file, options())
    const gone = () => {
      renameSync(file, `${file}.moved`)
      return false
    }
    await expect(takeLock(file, options(gone))).rejects.toMatchObject({ code: 'BUSY' })
  })

  it('one of them finds a new owner, and leaves the lock to it', async () => {
    const file = place()
    await takeLock(file, options())
    const theirs = '{"owner":"here:43:s","id":"theirs"}'
    const taken = () => {
      writeFileSync(file, theirs)
      return false
    }
    await expect(takeLock(file, options(taken))).rejects.toThrow(/another process holds/)
    expect(readFileSync(file, 'utf8')).toBe(theirs)
    expect(left(file)).toEqual(['.one.lock'])
  })

  it('one of them comes too late to link', async () => {
    const file = place()
    await takeLock(file, options())
    let asked = 0
    const ids = {
      uuid: () => {
        asked += 1
        return `x-${asked}`
      },
    }
    const racing = {
      ...options(false),
      ids,
      // A draft that has gone stands for a link that fails.
      isRunning: () => {
        for (const name of left(file))
          if (name.endsWith('lock.x-2'))
            renameSync(join(dirname(file), name), join(dirname(file), 'gone'))
        return false
      },
    }
    await expect(takeLock(file, racing)).rejects.toMatchObject({ code: 'BUSY' })
  })
})

it('releases nothing that is another’s by now', async () => {
  const file = place()
  const lock = await takeLock(file, options())
  writeFileSync(file, 'theirs')
  await lock.release()
  expect(readFileSync(file, 'utf8')).toBe('theirs')
})

it('does not take a file system without links for a lock', async () => {
  const file = place()
  const link = () => Promise.reject(Object.assign(new Error('no links'), { code: 'EPERM' }))
  await expect(takeLock(file, { ...options(), link })).rejects.toMatchObject({ code: 'EPERM' })
  expect(left(file)).toEqual([])
})

it('says what the file system says', async () => {
  const file = join(tempTree({}), 'no-such-folder', '.lock')
  await expect(takeLock(file, options())).rejects.toMatchObject({ code: 'ENOENT' })
  const isFolder = join(tempTree({ 'lock/': '' }), 'lock')
  await expect(takeLock(isFolder, options())).rejects.toMatchObject({ code: 'BUSY' })
})
