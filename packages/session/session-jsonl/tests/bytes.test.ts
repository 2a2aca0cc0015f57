import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readRange, writeAt } from '../src/bytes.ts'
import { withHandles } from './faults.ts'
import { tempDir } from './support.ts'

test('writes at a position and reads a range, up to the end of the file', async () => {
  const file = join(tempDir(), 'file')
  const handle = await open(file, 'w+')
  onTestFinished(() => handle.close())
  await writeAt(handle, Buffer.from('abcdef'), 0)
  await writeAt(handle, Buffer.from('XY'), 2)
  expect(String(await readFile(file))).toBe('abXYef')
  expect(String(await readRange(handle, 1, 4))).toBe('bXY')
  expect(String(await readRange(handle, 4, 9))).toBe('ef')
  expect(await readRange(handle, 9, 12)).toHaveLength(0)
})

test('a system that writes nothing is not asked for ever', async () => {
  const fs = withHandles(() => ({ write: () => ({ bytesWritten: 0 }) }))
  const handle = await fs.open(join(tempDir(), 'file'), 'w')
  onTestFinished(() => handle.close())
  await expect(writeAt(handle, Buffer.from('abc'), 0)).rejects.toThrow(
    'wrote 0 of 3 bytes and no more',
  )
})
