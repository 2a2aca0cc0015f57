import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bench } from './support.ts'

// The wording here is that of recordings made elsewhere, which replay compares byte for byte.

test('read answers as recorded', async () => {
  const { cwd, read } = bench()
  writeFileSync(join(cwd, 'greeting.txt'), 'hello\n')
  expect(await read({ file_path: 'greeting.txt' })).toEqual({
    content: [
      {
        type: 'text',
        text: `<path>${cwd}/greeting.txt</path>\n<type>file</type>\n<content>\n1: hello\n\n(End of file - total 1 lines)\n</content>`,
      },
    ],
  })
})

test('write answers as recorded when it creates', async () => {
  const { cwd, write } = bench()
  expect(await write({ file_path: 'notes.txt', content: 'hello world' })).toEqual({
    content: [
      {
        type: 'text',
        text: `<path>${cwd}/notes.txt</path>\n<type>file</type>\n<content>\nCreated file\n</content>`,
      },
    ],
  })
  expect(readFileSync(join(cwd, 'notes.txt'), 'utf8')).toBe('hello world')
})

test('edit answers as recorded, key order included', async () => {
  const { cwd, read, edit } = bench()
  writeFileSync(join(cwd, 'config.txt'), 'mode=DEBUG\nlevel=info\n')
  await read({ file_path: 'config.txt' })
  const outcome = await edit({
    file_path: 'config.txt',
    old_string: 'DEBUG',
    new_string: 'RELEASE',
  })
  expect(JSON.stringify(outcome)).toBe(
    JSON.stringify({
      content: [
        { type: 'text', text: `The file ${cwd}/config.txt has been updated successfully.` },
      ],
      meta: {
        diffs: [
          {
            path: 'config.txt',
            oldText: 'mode=DEBUG\nlevel=info',
            newText: 'mode=RELEASE\nlevel=info',
          },
        ],
      },
    }),
  )
  expect(readFileSync(join(cwd, 'config.txt'), 'utf8')).toBe('mode=RELEASE\nlevel=info\n')
})
