import type { Context } from '@deepseek-ai/cordis'
import { z } from 'zod'
import { todoTool } from './tool.ts'

export { todoTool } from './tool.ts'

export const name = 'tool-todo'
export const inject: string[] = ['tools']

/** Nothing to configure. */
export interface Config {}

export const Config: z.ZodType<Config> = z.strictObject({}).prefault({})

/** Offers `todo_write`. */
export function apply(ctx: Context): void {
  ctx.tools.register(todoTool)
}
