import type { Context } from '@deepseek-ai/cordis'
import { LlmService } from './service.ts'

export * from './assembler.ts'
export * from './error.ts'
export * from './service.ts'
export * from './stream.ts'
export * from './types.ts'

export const name = 'llm'

/** Mounts `ctx.llm`. */
export function apply(ctx: Context): void {
  ctx.plugin(LlmService)
}
