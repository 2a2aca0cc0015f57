import {
  invalidArgs,
  parametersOf,
  parseArgs,
  textOutcome,
  type Tool,
  type ToolOutcome,
} from 'dsh-tools'
import { z } from 'zod'
import { fileDisplay, filePath } from './args.ts'
import { FsError } from './error.ts'
import type { Change, Files } from './files.ts'
import { hunksOf } from './hunks.ts'
import { replaceText } from './replace.ts'

const NAME = 'edit'

const Args = z.object({
  file_path: filePath('Path of the file, absolute or relative to the working directory.'),
  old_string: z
    .string()
    .describe('The literal text to replace. Empty only to create a file or fill an empty one.'),
  new_string: z.string().describe('The literal text to put in its place; empty to delete.'),
  replace_all: z
    .boolean()
    .optional()
    .describe('Replace every occurrence. Otherwise old_string must occur exactly once.'),
})
type Args = z.infer<typeof Args>

/** Replaces literal text in a file that the session has seen in its current version. */
export function editTool(files: Files): Tool {
  return {
    name: NAME,
    description:
      'Edit a UTF-8 text file by replacing literal text. Read the file first. old_string must ' +
      'occur exactly once unless replace_all is true.',
    parameters: parametersOf(Args),
    kind: 'edit',
    display: (args) => fileDisplay('Edit', args),
    execute: async (args, context) => {
      const parsed = parseArgs(NAME, Args, args)
      return files.change(NAME, parsed.file_path, context, (change) => edit(change, parsed))
    },
  }
}

async function edit(change: Change, args: Args): Promise<ToolOutcome> {
  const { path, current } = change
  const outcome = textOutcome(`The file ${path} has been updated successfully.`)
  if (current === undefined) {
    if (args.old_string !== '') throw new FsError('FS_NOT_FOUND', `"${path}" does not exist`)
    await change.write(Buffer.from(args.new_string))
    return outcome
  }
  change.requireObserved()
  const before = decode(current.bytes, path)
  const after = edited(before, path, args)
  if (after === before) return outcome
  await change.write(Buffer.from(after))
  return { ...outcome, meta: { diffs: hunksOf(args.file_path, before, after) } }
}

function edited(before: string, path: string, args: Args): string {
  if (args.old_string === '') {
    if (before === '') return args.new_string
    throw invalidArgs(NAME, `old_string is empty, but "${path}" is not`)
  }
  const all = args.replace_all ?? false
  const { text, count } = replaceText(before, args.old_string, args.new_string, all)
  if (count === 0) {
    throw new FsError('FS_EDIT_NOT_FOUND', `old_string does not occur in "${path}"`)
  }
  if (count > 1 && !all) {
    throw new FsError(
      'FS_AMBIGUOUS_EDIT',
      `old_string occurs ${count} times in "${path}"; give more context or set replace_all`,
    )
  }
  return text
}

/** Strict, because writing back what could not be decoded would damage it. Keeps a byte order mark. */
function decode(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw new FsError('FS_BINARY', `"${path}" is not UTF-8 text`, { cause: error })
  }
}
