import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readWhole, streamFile } from '../src/open-file.ts'
import { failureOf, fsFailure, openFilesIn, tempDir } from './support.ts'

const { signal } = new AbortController()
const limits = { path: 'P', maxBytes: 1_000_000, signal }

test('reads a file of several chunks whole, with its stats', async () => {
  const file = join(tempDir(), 'a')
  const content = Array.from({ length: 40_000 }, (_, index) => String(index)).join(' ')
  writeFileSync(file, content)
  const { bytes, stats } = await readWhole(file, limits)
  expect(bytes.toString()).toBe(content)
  expect(stats.size).toBe(content.length)
})

test('does not wait for the writer of a pipe', async () => {
  const pipe = join(tempDir(), 'pipe')
  execFileSync('bash', ['-c', 'mkfifo "$0"', pipe])
  expect(await failureOf(readWhole(pipe, limits))).toEqual(
    fsFailure('FS_NOT_A_FILE', '"P" is not a regular file'),
  )
})

// Where the system shows its state as files.
const withProc = test.skipIf(!existsSync('/proc/self'))

withProc('reads files whose size the system does not tell', async () => {
  const { bytes } = await readWhole('/proc/self/status', limits)
  expect(bytes.toString()).toContain('Name:')
})

test('the limit holds for a file that grows while it is read', async () => {
  const file = join(tempDir(), 'a')
  writeFileSync(file, 'x')
  let chunks = 0
  const endless = streamFile(file, { ...limits, maxBytes: 5 }, () => {
    chunks += 1
    appendFileSync(file, 'x')
  })
  expect(await failureOf(endless)).toEqual(fsFailure('FS_TOO_LARGE', '"P" has more than 5 bytes'))
  expect(chunks).toBe(5)
})

test('stops between chunks once the signal aborts', async () => {
  const file = join(tempDir(), 'a')
  writeFileSync(file, Buffer.alloc(200_000, 'x'))
  const controller = new AbortController()
  let chunks = 0
  const read = streamFile(file, { ...limits, signal: controller.signal }, () => {
    chunks += 1
    controller.abort()
  })
  expect(await failureOf(read)).toEqual(fsFailure('FS_ABORTED', 'cancelled while reading "P"'))
  expect(chunks).toBe(1)
})

withProc('closes the file, however the reading ends', async () => {
  const dir = tempDir()
  const file = join(dir, 'a')
  writeFileSync(file, 'x')
  await readWhole(file, limits)
  await failureOf(readWhole(file, { ...limits, maxBytes: 0 }))
  await failureOf(readWhole(dir, limits))
  expect(openFilesIn(dir)).toEqual([])
})
