import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parametersOf, parseArgs, textOutcome, type Tool, type ToolCallContext } from 'dsh-tools'
import { z } from 'zod'
import { fileDisplay, filePath } from './args.ts'
import { FsError, fromErrno } from './error.ts'
import type { Files } from './files.ts'
import { streamFile } from './open-file.ts'
import { renderRead } from './render.ts'
import { DEFAULT_LINES, type LineWindow, WindowCollector } from './window.ts'

const NAME = 'read'

const Args = z.object({
  file_path: filePath('Path of the file, absolute or relative to the working directory.'),
  offset: z.int().min(1).optional().describe('1-based first line to return. Defaults to 1.'),
  limit: z
    .int()
    .min(1)
    .optional()
    .describe(`How many lines to return at most. Defaults to ${DEFAULT_LINES}.`),
})

/** Shows lines of a file, and remembers that the session has seen this version of it. */
export function readTool(files: Files): Tool {
  return {
    name: NAME,
    description:
      'Read a UTF-8 text file and return its lines with their numbers. Use offset and limit to go ' +
      'on in a long file.',
    parameters: parametersOf(Args),
    kind: 'read',
    display: (args) => fileDisplay('Read', args),
    execute: async (args, context) => {
      const { file_path, offset = 1, limit = DEFAULT_LINES } = parseArgs(NAME, Args, args)
      const path = resolve(context.cwd, file_path)
      const { real, version, window } = await scan(path, context, offset, limit, files)
      // The first line of an empty file can be asked for.
      if (offset > Math.max(1, window.total)) {
        throw new FsError(
          'FS_NOT_FOUND',
          `offset ${offset} is past the end of "${path}" (${window.total} lines)`,
        )
      }
      files.observations.record(context.session, real, version)
      return textOutcome(renderRead(path, offset, window))
    },
  }
}

interface Scan {
  readonly real: string
  readonly version: string
  readonly window: LineWindow
}

/** Goes through the whole file once, for its window, its number of lines and its version. */
async function scan(
  path: string,
  context: ToolCallContext,
  offset: number,
  limit: number,
  files: Files,
): Promise<Scan> {
  const real = await realpath(path).catch((error: unknown) => {
    throw fromErrno(error, path)
  })
  const hash = createHash('sha256')
  const collector = new WindowCollector(offset, limit)
  const limits = { path, maxBytes: files.settings.maxReadBytes, signal: context.signal }
  await streamFile(real, limits, (chunk) => {
    if (chunk.includes(0)) throw new FsError('FS_BINARY', `"${path}" is not a text file`)
    hash.update(chunk)
    collector.push(chunk)
  })
  return { real, version: hash.digest('hex'), window: collector.finish() }
}
