import type { Context } from '@deepseek-ai/cordis'
import type { Config } from './config.ts'
import { SubagentService } from './service.ts'

export { Config, DEFAULT_MAX_DEPTH } from './config.ts'
export * from './error.ts'
export * from './service.ts'
export * from './types.ts'

export const name = 'subagent'
export const inject: string[] = ['sessions', 'tools']

/** Mounts `ctx.subagents`. */
export function apply(ctx: Context, config: Config): void {
  new SubagentService(ctx, config)
}
