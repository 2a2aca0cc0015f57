import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { kindOf, MOST_BYTES, openRegular, readText } from '../../src/files/regular-file.ts'
import { tempTree } from '../temp.ts'

it('reads a regular file, and a link to one', async () => {
  const dir = tempTree({ a: '\ufeffé\n' })
  symlinkSync('a', join(dir, 'b'))
  expect(await readText(join(dir, 'a'))).toBe('\ufeffé\n')
  expect(await readText(join(dir, 'b'))).toBe('\ufeffé\n')
})

it('never waits for anything but a regular file, and names it', async () => {
  const dir = tempTree({ 'folder/': '' })
  const [fifo, socket, dead, link] = ['fifo', 'socket', 'dead', 'link'].map((n) => join(dir, n))
  spawnSync('mkfifo', [fifo as string])
  const server = createServer().listen(socket)
  await once(server, 'listening')
  symlinkSync('nowhere', dead as string)
  symlinkSync('fifo', link as string)
  const read = (path: string | undefined) => readText(path as string, { name: 's/x' })
  const error = (message: string) => expect.objectContaining({ code: 'BAD_FIXTURE', message })
  await expect(read(fifo)).rejects.toEqual(error('s/x: a FIFO, expected a regular file; remove it'))
  await expect(read(link)).rejects.toThrow('s/x: a FIFO, expected a regular file')
  await expect(read(socket)).rejects.toThrow('s/x: a socket, expected a regular file')
  await expect(read(join(dir, 'folder'))).rejects.toThrow('s/x: a folder, expected')
  await expect(read('/dev/zero')).rejects.toThrow('s/x: a device, expected')
  await expect(read(dead)).rejects.toEqual(
    error('s/x: a link to nowhere, which leads nowhere; put the file there'),
  )
  await expect(read(join(dir, 'none'))).rejects.toThrow('s/x: cannot be read: ENOENT')
  await expect(openRegular(join(dir, 'none'))).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(openRegular(fifo as string)).rejects.toThrow(`${fifo}: a FIFO`)
  server.close()
})

it('says what an entry is', () => {
  const dir = tempTree({ a: '' })
  symlinkSync('a', join(dir, 'b'))
  expect(kindOf(lstatSync(join(dir, 'a')))).toBe('a file')
  expect(kindOf(lstatSync(join(dir, 'b')))).toBe('a link')
})

it('bounds what it reads', async () => {
  const dir = tempTree({ a: 'abcd', sparse: '' })
  const file = join(dir, 'a')
  expect(await readText(file, { maxBytes: 4 })).toBe('abcd')
  await expect(readText(file, { maxBytes: 3, name: 'a' })).rejects.toThrow(
    'a: 4 bytes, expected at most 3',
  )
  truncateSync(join(dir, 'sparse'), MOST_BYTES + 1)
  await expect(readText(join(dir, 'sparse'))).rejects.toThrow(`expected at most ${MOST_BYTES}`)
})

it('obeys a signal', async () => {
  const file = join(tempTree({ a: 'abcd' }), 'a')
  const reason = new Error('stopped')
  await expect(readText(file, { signal: AbortSignal.abort(reason) })).rejects.toMatchObject({
    name: 'AbortError',
  })
})

it.each([
  [[0xff], 1],
  [[0x61, 0x0a, 0xff, 0x0a], 2],
  [[0x61, 0x0a, 0xc3, 0x0a, 0xff], 2],
  [[0x61, 0x0a, 0x62, 0x0a, 0xc3], 3],
])('names the line that is not UTF-8: %j', async (bytes, line) => {
  const file = join(tempTree({}), 'a')
  writeFileSync(file, Buffer.from(bytes))
  await expect(readText(file, { name: 'a' })).rejects.toThrow(
    `a:${line}: not UTF-8; save it as UTF-8, or record it again`,
  )
})
