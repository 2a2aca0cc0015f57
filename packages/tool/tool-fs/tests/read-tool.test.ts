import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTool } from '../src/read-tool.ts'
import { argsFailure, bench, contextIn, failureOf, fsFailure, tempDir, textOf } from './support.ts'

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('')

test('takes absolute paths and paths relative to the cwd, outside it too', async () => {
  const { cwd, read } = bench()
  const other = tempDir()
  writeFileSync(join(other, 'a'), 'x')
  const answer = textOf(await read({ file_path: join(other, 'a') }))
  expect(answer).toContain(`<path>${other}/a</path>`)
  mkdirSync(join(cwd, 'sub'))
  writeFileSync(join(cwd, 'b'), 'y')
  expect(textOf(await read({ file_path: 'sub/../b' }))).toContain(`<path>${cwd}/b</path>`)
})

test('shows 2000 lines unless told otherwise', async () => {
  const { cwd, read } = bench()
  writeFileSync(join(cwd, 'exact'), lines(1, 2000))
  expect(textOf(await read({ file_path: 'exact' }))).toMatch(
    /\n2000: line 2000\n\n\(End of file - total 2000 lines\)\n<\/content>$/,
  )
  writeFileSync(join(cwd, 'more'), lines(1, 2001))
  expect(textOf(await read({ file_path: 'more' }))).toMatch(
    /\n2000: line 2000\n\n\(Showing lines 1-2000 of 2001\. Use offset=2001 to continue\.\)\n<\/content>$/,
  )
  expect(textOf(await read({ file_path: 'more', limit: 3000 }))).toMatch(
    /\n2001: line 2001\n\n\(End of file - total 2001 lines\)\n<\/content>$/,
  )
})

test('shows a window', async () => {
  const { cwd, read } = bench()
  writeFileSync(join(cwd, 'a'), lines(1, 5))
  expect(textOf(await read({ file_path: 'a', offset: 2, limit: 2 }))).toBe(
    `<path>${cwd}/a</path>\n<type>file</type>\n<content>\n2: line 2\n3: line 3\n\n(Showing lines 2-3 of 5. Use offset=4 to continue.)\n</content>`,
  )
  expect(textOf(await read({ file_path: 'a', offset: 4, limit: 2 }))).toBe(
    `<path>${cwd}/a</path>\n<type>file</type>\n<content>\n4: line 4\n5: line 5\n\n(End of file - total 5 lines)\n</content>`,
  )
})

test('shows at most 51,200 bytes of text', async () => {
  const { cwd, read } = bench()
  writeFileSync(join(cwd, 'a'), `${'x'.repeat(1023)}\n`.repeat(60))
  const text = textOf(await read({ file_path: 'a' }))
  expect(text).toMatch(
    /\n50: x+\n\n\(Output capped\. Showing lines 1-50\. Use offset=51 to continue\.\)\n<\/content>$/,
  )
})

test('an offset past the end is FS_NOT_FOUND, and does not count as having read', async () => {
  const { cwd, read, edit } = bench()
  writeFileSync(join(cwd, 'a'), 'x\ny\n')
  expect(await failureOf(read({ file_path: 'a', offset: 3 }))).toEqual(
    fsFailure('FS_NOT_FOUND', `offset 3 is past the end of "${cwd}/a" (2 lines)`),
  )
  const change = edit({ file_path: 'a', old_string: 'x', new_string: 'z' })
  expect(await failureOf(change)).toMatchObject({ code: 'FS_NOT_OBSERVED' })
})

test('an empty file can be read from its first line only', async () => {
  const { cwd, read } = bench()
  writeFileSync(join(cwd, 'a'), '')
  expect(textOf(await read({ file_path: 'a', offset: 1 }))).toBe(
    `<path>${cwd}/a</path>\n<type>file</type>\n<content>\n(End of file - total 0 lines)\n</content>`,
  )
  expect(await failureOf(read({ file_path: 'a', offset: 2 }))).toEqual(
    fsFailure('FS_NOT_FOUND', `offset 2 is past the end of "${cwd}/a" (0 lines)`),
  )
})

test('says what is not there, what is a folder, and what is no text', async () => {
  const { cwd, read } = bench()
  expect(await failureOf(read({ file_path: 'none' }))).toEqual(
    fsFailure('FS_NOT_FOUND', `"${cwd}/none" does not exist`),
  )
  expect(await failureOf(read({ file_path: '.' }))).toEqual(
    fsFailure('FS_IS_DIRECTORY', `"${cwd}" is a directory`),
  )
  writeFileSync(join(cwd, 'bin'), Buffer.concat([Buffer.alloc(70_000, 'x'), Buffer.from([0])]))
  expect(await failureOf(read({ file_path: 'bin' }))).toEqual(
    fsFailure('FS_BINARY', `"${cwd}/bin" is not a text file`),
  )
})

test('names the link that the model named, and remembers the file behind it', async () => {
  const { cwd, read, edit } = bench()
  writeFileSync(join(cwd, 'a'), 'x\n')
  symlinkSync('a', join(cwd, 'link'))
  expect(textOf(await read({ file_path: 'link' }))).toContain(`<path>${cwd}/link</path>`)
  await edit({ file_path: 'a', old_string: 'x', new_string: 'y' })
})

test('refuses files above the configured size', async () => {
  const { cwd, read } = bench({ maxReadBytes: 4 })
  writeFileSync(join(cwd, 'a'), '1234')
  await read({ file_path: 'a' })
  writeFileSync(join(cwd, 'a'), '12345')
  expect(await failureOf(read({ file_path: 'a' }))).toEqual(
    fsFailure('FS_TOO_LARGE', `"${cwd}/a" has more than 4 bytes`),
  )
})

test('stops when the turn is cancelled', async () => {
  const { cwd, read } = bench()
  writeFileSync(join(cwd, 'a'), 'x')
  const context = { ...contextIn(cwd), signal: AbortSignal.abort() }
  expect(await failureOf(read({ file_path: 'a' }, context))).toEqual(
    fsFailure('FS_ABORTED', `cancelled while reading "${cwd}/a"`),
  )
})

test.each([
  [{}, 'file_path: Invalid input: expected string, received undefined'],
  [{ file_path: '' }, 'file_path: Too small: expected string to have >=1 characters'],
  [{ file_path: 'a\0' }, 'file_path: Invalid path: it contains a NUL character'],
  [{ file_path: 'a', offset: 0 }, 'offset: Too small: expected number to be >=1'],
  [{ file_path: 'a', limit: 0 }, 'limit: Too small: expected number to be >=1'],
  [{ file_path: 'a', limit: 1.5 }, 'limit: Invalid input: expected int, received number'],
])('refuses %j', async (args, problem) => {
  expect(await failureOf(bench().read(args))).toEqual(argsFailure('read', problem))
})

test('describes itself to the model and to editors', () => {
  const tool = readTool(bench().files)
  expect({ name: tool.name, kind: tool.kind }).toEqual({ name: 'read', kind: 'read' })
  expect(tool.description).toBe(
    'Read a UTF-8 text file and return its lines with their numbers. Use offset and limit to go on in a long file.',
  )
  const integer = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }
  expect(tool.parameters).toEqual({
    type: 'object',
    properties: {
      file_path: {
        type: 'string',
        minLength: 1,
        description: 'Path of the file, absolute or relative to the working directory.',
      },
      offset: { ...integer, description: '1-based first line to return. Defaults to 1.' },
      limit: { ...integer, description: 'How many lines to return at most. Defaults to 2000.' },
    },
    required: ['file_path'],
  })
  expect(tool.display?.({ file_path: 'a/b' })).toEqual({ title: 'Read a/b', paths: ['a/b'] })
})
