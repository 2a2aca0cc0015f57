import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { editTool } from '../src/edit-tool.ts'
import { argsFailure, bench, failureOf, fsFailure, type Bench } from './support.ts'

/** A bench whose file `a` holds the text and has been read. */
async function opened(
  content: string | Uint8Array,
): Promise<Bench & { readonly text: () => string }> {
  const tools = bench()
  const file = join(tools.cwd, 'a')
  writeFileSync(file, content)
  await tools.read({ file_path: 'a' })
  return { ...tools, text: () => readFileSync(file, 'utf8') }
}

const done = (cwd: string): unknown => [
  { type: 'text', text: `The file ${cwd}/a has been updated successfully.` },
]

test('refuses an existing file that was not read, in the recorded words', async () => {
  const { cwd, edit } = bench()
  writeFileSync(join(cwd, 'a'), 'x')
  expect(await failureOf(edit({ file_path: 'a', old_string: 'x', new_string: 'y' }))).toEqual(
    fsFailure('FS_NOT_OBSERVED', `edit requires reading "${cwd}/a" first`),
  )
})

test('refuses a file that changed since it was read', async () => {
  const { cwd, edit, text } = await opened('x\n')
  writeFileSync(join(cwd, 'a'), 'x\n# new\n')
  expect(await failureOf(edit({ file_path: 'a', old_string: 'x', new_string: 'y' }))).toEqual(
    fsFailure(
      'FS_STALE_VERSION',
      `"${cwd}/a" has changed since it was last read; read it again first`,
    ),
  )
  expect(text()).toBe('x\n# new\n')
})

test('a file that is gone, or never was, is FS_NOT_FOUND', async () => {
  const { cwd, edit } = await opened('x')
  rmSync(join(cwd, 'a'))
  expect(await failureOf(edit({ file_path: 'a', old_string: 'x', new_string: 'y' }))).toEqual(
    fsFailure('FS_NOT_FOUND', `"${cwd}/a" does not exist`),
  )
  expect(await failureOf(edit({ file_path: 'b', old_string: 'x', new_string: 'y' }))).toEqual(
    fsFailure('FS_NOT_FOUND', `"${cwd}/b" does not exist`),
  )
})

test('a text that does not occur, or occurs more than once, changes nothing', async () => {
  const { cwd, edit, text } = await opened('x x x\n')
  expect(await failureOf(edit({ file_path: 'a', old_string: 'z', new_string: 'y' }))).toEqual(
    fsFailure('FS_EDIT_NOT_FOUND', `old_string does not occur in "${cwd}/a"`),
  )
  const everywhere = { file_path: 'a', old_string: 'z', new_string: 'y', replace_all: true }
  expect(await failureOf(edit(everywhere))).toMatchObject({ code: 'FS_EDIT_NOT_FOUND' })
  const once = { file_path: 'a', old_string: 'x', new_string: 'y', replace_all: false }
  expect(await failureOf(edit(once))).toEqual(
    fsFailure(
      'FS_AMBIGUOUS_EDIT',
      `old_string occurs 3 times in "${cwd}/a"; give more context or set replace_all`,
    ),
  )
  const unsaid = { file_path: 'a', old_string: 'x', new_string: 'y' }
  expect(await failureOf(edit(unsaid))).toMatchObject({ code: 'FS_AMBIGUOUS_EDIT' })
  expect(text()).toBe('x x x\n')
})

test('replace_all changes every place, and far places are hunks of their own', async () => {
  const middle = Array.from({ length: 8 }, (_, index) => `${index}\n`).join('')
  const { cwd, edit, text } = await opened(`x\n${middle}x\n`)
  const outcome = await edit({
    file_path: 'a',
    old_string: 'x',
    new_string: 'y',
    replace_all: true,
  })
  expect(outcome).toEqual({
    content: done(cwd),
    meta: {
      diffs: [
        { path: 'a', oldText: 'x\n0\n1\n2', newText: 'y\n0\n1\n2' },
        { path: 'a', oldText: '5\n6\n7\nx', newText: '5\n6\n7\ny' },
      ],
    },
  })
  expect(text()).toBe(`y\n${middle}y\n`)
})

test('replace_all of the only place is fine', async () => {
  const { edit, text } = await opened('x')
  await edit({ file_path: 'a', old_string: 'x', new_string: 'y', replace_all: true })
  expect(text()).toBe('y')
})

test('an empty new_string deletes, and deleting all leaves an empty new text', async () => {
  const { edit, text } = await opened('x\n')
  expect((await edit({ file_path: 'a', old_string: 'x\n', new_string: '' })).meta).toEqual({
    diffs: [{ path: 'a', oldText: 'x', newText: '' }],
  })
  expect(text()).toBe('')
})

test('an edit that changes nothing writes nothing and has no meta', async () => {
  const { cwd, edit } = await opened('x')
  const { ino } = statSync(join(cwd, 'a'))
  expect(await edit({ file_path: 'a', old_string: 'x', new_string: 'x' })).toEqual({
    content: done(cwd),
  })
  expect(statSync(join(cwd, 'a')).ino).toBe(ino)
})

test('an edit counts as having read the new version', async () => {
  const { edit, text } = await opened('x')
  await edit({ file_path: 'a', old_string: 'x', new_string: 'y' })
  await edit({ file_path: 'a', old_string: 'y', new_string: 'z' })
  expect(text()).toBe('z')
})

test('an empty old_string creates a file, without meta', async () => {
  const { cwd, edit } = bench()
  const args = { file_path: 'a', old_string: '', new_string: 'x\n' }
  expect(await edit(args)).toEqual({ content: done(cwd) })
  expect(readFileSync(join(cwd, 'a'), 'utf8')).toBe('x\n')
  await edit({ file_path: 'a', old_string: 'x', new_string: 'y' })
})

test('an empty old_string fills an empty file that was read', async () => {
  const { edit, text } = await opened('')
  expect((await edit({ file_path: 'a', old_string: '', new_string: 'x\n' })).meta).toEqual({
    diffs: [{ path: 'a', oldText: null, newText: 'x' }],
  })
  expect(text()).toBe('x\n')
})

test('an empty old_string is no place in a file with content', async () => {
  const { cwd, edit, text } = await opened('x')
  expect(await failureOf(edit({ file_path: 'a', old_string: '', new_string: 'y' }))).toEqual(
    argsFailure('edit', `old_string is empty, but "${cwd}/a" is not`),
  )
  expect(text()).toBe('x')
})

test('keeps CRLF, a byte order mark and a missing newline at the end', async () => {
  const { edit, text } = await opened('\uFEFFa\r\nb\r\nc')
  await edit({ file_path: 'a', old_string: 'a\nb', new_string: 'x\ny' })
  expect(text()).toBe('\uFEFFx\r\ny\r\nc')
})

test('refuses to rewrite bytes that are not UTF-8', async () => {
  const bytes = Buffer.from([0x78, 0xff])
  const { cwd, edit } = await opened(bytes)
  expect(await failureOf(edit({ file_path: 'a', old_string: 'x', new_string: 'y' }))).toEqual(
    fsFailure('FS_BINARY', `"${cwd}/a" is not UTF-8 text`),
  )
  expect(readFileSync(join(cwd, 'a'))).toEqual(bytes)
})

test('two edits of one file at once both land', async () => {
  const { edit, text } = await opened('a b\n')
  await Promise.all([
    edit({ file_path: 'a', old_string: 'a', new_string: '1' }),
    edit({ file_path: './a', old_string: 'b', new_string: '2' }),
  ])
  expect(text()).toBe('1 2\n')
})

test('refuses a folder', async () => {
  const { cwd, edit } = bench()
  mkdirSync(join(cwd, 'dir'))
  expect(await failureOf(edit({ file_path: 'dir', old_string: 'x', new_string: 'y' }))).toEqual(
    fsFailure('FS_IS_DIRECTORY', `"${cwd}/dir" is a directory`),
  )
})

test.each([
  [
    { file_path: 'a' },
    'old_string: Invalid input: expected string, received undefined; new_string: Invalid input: expected string, received undefined',
  ],
  [
    { file_path: 'a', old_string: 'x', new_string: 'y', replace_all: 'yes' },
    'replace_all: Invalid input: expected boolean, received string',
  ],
])('refuses %j', async (args, problem) => {
  expect(await failureOf(bench().edit(args))).toEqual(argsFailure('edit', problem))
})

test('describes itself to the model and to editors', () => {
  const tool = editTool(bench().files)
  expect({ name: tool.name, kind: tool.kind }).toEqual({ name: 'edit', kind: 'edit' })
  expect(tool.description).toBe(
    'Edit a UTF-8 text file by replacing literal text. Read the file first. old_string must occur exactly once unless replace_all is true.',
  )
  expect(tool.parameters).toEqual({
    type: 'object',
    properties: {
      file_path: {
        type: 'string',
        minLength: 1,
        description: 'Path of the file, absolute or relative to the working directory.',
      },
      old_string: {
        type: 'string',
        description:
          'The literal text to replace. Empty only to create a file or fill an empty one.',
      },
      new_string: {
        type: 'string',
        description: 'The literal text to put in its place; empty to delete.',
      },
      replace_all: {
        type: 'boolean',
        description: 'Replace every occurrence. Otherwise old_string must occur exactly once.',
      },
    },
    required: ['file_path', 'old_string', 'new_string'],
  })
  expect(tool.display?.({ file_path: 'a' })).toEqual({ title: 'Edit a', paths: ['a'] })
})
