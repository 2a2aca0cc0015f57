import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readLog } from '../src/read-log.ts'
import { withHandles } from './faults.ts'
import { tempDir } from './support.ts'

const header = '{"type":"session","version":0,"id":"a","createdAt":0}\n'

function reading(text: string) {
  const file = join(tempDir(), 'session.jsonl')
  writeFileSync(file, text)
  const handles = { opened: 0, closed: 0 }
  const fs = withHandles((handle) => {
    handles.opened += 1
    return {
      close: () => {
        handles.closed += 1
        return handle.close()
      },
    }
  })
  return { file, fs, handles }
}

test('closes the file, also where it is no log', async () => {
  for (const text of [header, 'no log\n']) {
    const { file, fs, handles } = reading(text)
    const read = readLog(fs, file)
    if (text === header) expect(await read).toMatchObject({ events: [], validSize: header.length })
    else await expect(read).rejects.toMatchObject({ code: 'CORRUPT_LOG' })
    expect(handles).toEqual({ opened: 1, closed: 1 })
  }
})

test('says that there is no file, and passes on what else is wrong', async () => {
  const { file, fs } = reading(header)
  expect(await readLog(fs, `${file}.none`)).toBeUndefined()
  await expect(readLog(fs, `${file}/below`)).rejects.toMatchObject({ code: 'ENOTDIR' })
})
