import { parametersOf, parseArgs, textOutcome, type Tool } from 'dsh-tools'
import { z } from 'zod'
import { fileDisplay, filePath } from './args.ts'
import type { Files } from './files.ts'
import { hunksOf } from './hunks.ts'
import { renderWrite } from './render.ts'

const NAME = 'write'

const Args = z.object({
  file_path: filePath('Path of the file, absolute or relative to the working directory.'),
  content: z.string().describe('The whole new content.'),
})

/** Creates a file, or replaces one that the session has seen in its current version. */
export function writeTool(files: Files): Tool {
  return {
    name: NAME,
    description:
      'Create a UTF-8 text file or replace its whole content. Read an existing file first; for ' +
      'small changes use edit.',
    parameters: parametersOf(Args),
    kind: 'edit',
    display: (args) => fileDisplay('Write', args),
    execute: (args, context) => {
      const { file_path, content } = parseArgs(NAME, Args, args)
      return files.change(NAME, file_path, context, async (change) => {
        change.requireObserved()
        const { path, current } = change
        const outcome = textOutcome(renderWrite(path, current !== undefined))
        const bytes = Buffer.from(content)
        if (current?.bytes.equals(bytes) === true) return outcome
        await change.write(bytes)
        if (current === undefined) return outcome
        const diffs = hunksOf(file_path, current.bytes.toString('utf8'), content)
        return { ...outcome, meta: { diffs } }
      })
    },
  }
}
