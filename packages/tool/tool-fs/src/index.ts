import type { Context } from '@deepseek-ai/cordis'
import type { Config } from './config.ts'
import { editTool } from './edit-tool.ts'
import { Files } from './files.ts'
import { readTool } from './read-tool.ts'
import { writeTool } from './write-tool.ts'

export { Config } from './config.ts'
export { FsError, type FsErrorCode } from './error.ts'

export const name = 'tool-fs'
export const inject: string[] = ['tools']

/** Offers `read`, `write` and `edit`. */
export function apply(ctx: Context, config: Config): void {
  const files = new Files(config)
  for (const tool of [readTool(files), writeTool(files), editTool(files)]) ctx.tools.register(tool)
}
