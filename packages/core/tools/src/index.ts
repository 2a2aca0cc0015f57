import type { Context } from '@deepseek-ai/cordis'
import { ToolService } from './service.ts'

export * from './args.ts'
export * from './error.ts'
export * from './outcome.ts'
export * from './service.ts'
export * from './types.ts'

export const name = 'tools'

/** Mounts `ctx.tools`. */
export function apply(ctx: Context): void {
  ctx.plugin(ToolService)
}
