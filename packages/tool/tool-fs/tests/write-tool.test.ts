import { chmodSync, chownSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeTool } from '../src/write-tool.ts'
import { argsFailure, bench, contextIn, failureOf, fsFailure, textOf } from './support.ts'

const answer = (path: string, text: string): string =>
  `<path>${path}</path>\n<type>file</type>\n<content>\n${text}\n</content>`

test('creates a file with its folders, without meta', async () => {
  const { cwd, write } = bench()
  const outcome = await write({ file_path: 'a/b/c.txt', content: 'é\n' })
  expect(outcome).toEqual({
    content: [{ type: 'text', text: answer(`${cwd}/a/b/c.txt`, 'Created file') }],
  })
  expect(readFileSync(join(cwd, 'a/b/c.txt'), 'utf8')).toBe('é\n')
  expect(readdirSync(join(cwd, 'a/b'))).toEqual(['c.txt'])
})

test('refuses to overwrite a file that was not read', async () => {
  const { cwd, write } = bench()
  writeFileSync(join(cwd, 'a'), 'old')
  expect(await failureOf(write({ file_path: 'a', content: 'new' }))).toEqual(
    fsFailure('FS_NOT_OBSERVED', `write requires reading "${cwd}/a" first`),
  )
  expect(readFileSync(join(cwd, 'a'), 'utf8')).toBe('old')
})

test('having read in another session does not count', async () => {
  const { cwd, read, write } = bench()
  writeFileSync(join(cwd, 'a'), 'old')
  await read({ file_path: 'a' }, contextIn(cwd))
  const failure = await failureOf(write({ file_path: 'a', content: 'new' }))
  expect(failure).toMatchObject({ code: 'FS_NOT_OBSERVED' })
})

test('refuses to overwrite a file that changed since it was read, if only back in time', async () => {
  const { cwd, read, write } = bench()
  const file = join(cwd, 'a')
  writeFileSync(file, 'old')
  await read({ file_path: 'a' })
  writeFileSync(file, 'odd')
  expect(await failureOf(write({ file_path: 'a', content: 'new' }))).toEqual(
    fsFailure(
      'FS_STALE_VERSION',
      `"${file}" has changed since it was last read; read it again first`,
    ),
  )
  expect(readFileSync(file, 'utf8')).toBe('odd')
  writeFileSync(file, 'old')
  expect(textOf(await write({ file_path: 'a', content: 'new' }))).toBe(answer(file, 'Updated file'))
})

test('an update reports its hunks under the path that the model gave', async () => {
  const { cwd, read, write } = bench()
  writeFileSync(join(cwd, 'a'), 'one\ntwo\n')
  await read({ file_path: './a' })
  expect(JSON.stringify(await write({ file_path: './a', content: 'one\n2\n' }))).toBe(
    JSON.stringify({
      content: [{ type: 'text', text: answer(`${cwd}/a`, 'Updated file') }],
      meta: { diffs: [{ path: './a', oldText: 'one\ntwo', newText: 'one\n2' }] },
    }),
  )
})

test('filling an empty file has no old text', async () => {
  const { cwd, read, write } = bench()
  writeFileSync(join(cwd, 'a'), '')
  await read({ file_path: 'a' })
  expect((await write({ file_path: 'a', content: 'x\n' })).meta).toEqual({
    diffs: [{ path: 'a', oldText: null, newText: 'x' }],
  })
})

test('the same content again touches nothing and has no meta', async () => {
  const { cwd, read, write } = bench()
  writeFileSync(join(cwd, 'a'), 'x')
  const { ino } = statSync(join(cwd, 'a'))
  await read({ file_path: 'a' })
  expect(await write({ file_path: 'a', content: 'x' })).toEqual({
    content: [{ type: 'text', text: answer(`${cwd}/a`, 'Updated file') }],
  })
  expect(statSync(join(cwd, 'a')).ino).toBe(ino)
})

test('a write counts as having read the new version', async () => {
  const { cwd, write, edit } = bench()
  await write({ file_path: 'a', content: 'one' })
  await write({ file_path: 'a', content: 'two' })
  await edit({ file_path: 'a', old_string: 'two', new_string: 'three' })
  await write({ file_path: 'a', content: 'four' })
  expect(readFileSync(join(cwd, 'a'), 'utf8')).toBe('four')
})

test('a failed write does not count', async () => {
  const { cwd, write } = bench()
  writeFileSync(join(cwd, 'a'), 'old')
  await failureOf(write({ file_path: 'a', content: 'new' }))
  const failure = await failureOf(write({ file_path: 'a', content: 'new' }))
  expect(failure).toMatchObject({ code: 'FS_NOT_OBSERVED' })
})

test('a file that is not text may be overwritten once known; its diff shows U+FFFD', async () => {
  const { cwd, read, write } = bench()
  writeFileSync(join(cwd, 'a'), Buffer.from([0xff, 0x0a]))
  await read({ file_path: 'a' })
  expect((await write({ file_path: 'a', content: 'x\n' })).meta).toEqual({
    diffs: [{ path: 'a', oldText: '\uFFFD', newText: 'x' }],
  })
})

test('keeps the mode and the owner of a file', async () => {
  const { cwd, read, write } = bench()
  const file = join(cwd, 'a')
  writeFileSync(file, 'x')
  // Where the tests do not run as root, the owner is theirs anyway.
  if (process.getuid?.() === 0) chownSync(file, 1234, 1235)
  chmodSync(file, 0o4751)
  const before = statSync(file)
  await read({ file_path: 'a' })
  await write({ file_path: 'a', content: 'y' })
  const after = statSync(file)
  expect([after.mode, after.uid, after.gid]).toEqual([before.mode, before.uid, before.gid])
  expect(after.mode & 0o7777).toBe(0o4751)
})

test('refuses a folder, and files above the configured size', async () => {
  const { cwd, write } = bench({ maxEditBytes: 3 })
  expect(await failureOf(write({ file_path: '.', content: 'x' }))).toEqual(
    fsFailure('FS_IS_DIRECTORY', `"${cwd}" is a directory`),
  )
  writeFileSync(join(cwd, 'a'), '1234')
  expect(await failureOf(write({ file_path: 'a', content: 'x' }))).toEqual(
    fsFailure('FS_TOO_LARGE', `"${cwd}/a" has more than 3 bytes`),
  )
})

test.each([
  [{ file_path: 'a' }, 'content: Invalid input: expected string, received undefined'],
  [{ file_path: 'a\0', content: '' }, 'file_path: Invalid path: it contains a NUL character'],
])('refuses %j', async (args, problem) => {
  const { write } = bench()
  expect(await failureOf(Promise.resolve().then(() => write(args)))).toEqual(
    argsFailure('write', problem),
  )
})

test('describes itself to the model and to editors', () => {
  const tool = writeTool(bench().files)
  expect({ name: tool.name, kind: tool.kind }).toEqual({ name: 'write', kind: 'edit' })
  expect(tool.description).toBe(
    'Create a UTF-8 text file or replace its whole content. Read an existing file first; for small changes use edit.',
  )
  expect(tool.parameters).toEqual({
    type: 'object',
    properties: {
      file_path: {
        type: 'string',
        minLength: 1,
        description: 'Path of the file, absolute or relative to the working directory.',
      },
      content: { type: 'string', description: 'The whole new content.' },
    },
    required: ['file_path', 'content'],
  })
  expect(tool.display?.({ file_path: 'a' })).toEqual({ title: 'Write a', paths: ['a'] })
})
