import type { FileHandle } from 'node:fs/promises'
import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { describeEnd, extendEnd, readEnd, stillEnds } from '../src/log-end.ts'
import { withHandles } from './faults.ts'
import { tempDir } from './support.ts'

const NOTHING = Buffer.alloc(0)

/** A file, open for reading, and how many bytes were asked for so far. */
async function opened(text: string) {
  const path = join(tempDir(), 'file')
  await writeFile(path, text)
  const asked = { bytes: 0 }
  const fs = withHandles((handle) => ({
    read: (buffer: Buffer, offset: number, length: number, position: number) => {
      asked.bytes += length
      return handle.read(buffer, offset, length, position)
    },
  }))
  const handle: FileHandle = await fs.open(path, 'r')
  onTestFinished(() => handle.close())
  return { path, handle, asked }
}

test.each([0, 10, 4096, 4097, 9000])('holds the last 4096 of %d bytes', async (size) => {
  const text = Array.from({ length: size }, (_, at) => at % 10).join('')
  const { handle, asked } = await opened(text)
  const end = await readEnd(handle, size)
  expect([end.size, String(end.tail)]).toEqual([size, text.slice(-4096)])
  expect(asked.bytes).toBeLessThanOrEqual(4096)
  expect(await stillEnds(handle, end, NOTHING)).toBe(true)
})

test('goes on with what was written, and keeps no more of it', () => {
  const end = extendEnd({ size: 3, tail: Buffer.from('abc') }, Buffer.from('de'))
  expect([end.size, String(end.tail)]).toEqual([5, 'abcde'])
  const long = extendEnd(end, Buffer.from('x'.repeat(5000)))
  expect([long.size, String(long.tail)]).toEqual([5005, 'x'.repeat(4096)])
})

test('a file that lost more than was remembered is another file, not an error', async () => {
  const { path, handle } = await opened('x'.repeat(9000))
  const end = await readEnd(handle, 9000)
  await truncate(path, 100)
  expect(await stillEnds(handle, end, Buffer.from('more'))).toBe(false)
})

test('a file that grew by more than was written is another one, and is not read', async () => {
  const { path, handle, asked } = await opened('ab')
  const end = await readEnd(handle, 2)
  await writeFile(path, `abc${'x'.repeat(9000)}`)
  asked.bytes = 0
  expect(await stillEnds(handle, end, Buffer.from('cx'))).toBe(false)
  expect(asked.bytes).toBe(0)
})

test('any beginning of what was attempted may follow', async () => {
  const { path, handle } = await opened('ab')
  const end = await readEnd(handle, 2)
  const attempted = Buffer.from('cd')
  for (const [text, still] of [
    ['ab', true],
    ['abc', true],
    ['abcd', true],
    ['abd', false],
    ['xbc', false],
    ['abcde', false],
  ] as const) {
    await writeFile(path, text)
    expect(await stillEnds(handle, end, attempted)).toBe(still)
  }
})

test('says what a log ends with, and reads no more of it than the end', async () => {
  const event = '{"type":"x","seq":7,"time":0,"data":0}'
  const long = await opened(`${'x'.repeat(200_000)}\n${event}\n`)
  expect(await describeEnd(long.handle)).toBe('200040 bytes ending in event 7')
  expect(long.asked.bytes).toBe(64 * 1024)
  const short = await opened(`${event}\n`)
  expect(await describeEnd(short.handle)).toBe('39 bytes ending in event 7')
})

test('a last line without its line feed is not complete, even where it parses', async () => {
  const { handle } = await opened('{"type":"x","seq":7,"time":0,"data":0}')
  expect(await describeEnd(handle)).toBe('38 bytes ending in an incomplete line')
})
