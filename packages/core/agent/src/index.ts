import type { Context } from '@deepseek-ai/cordis'
import { systemClock, systemRandom } from 'dsh-brand'
import type { Config } from './config.ts'
import { LoopAgentService } from './service.ts'

export { Config, DEFAULT_MODEL } from './config.ts'
export * from './error.ts'
export { DEFAULT_RETRY, type RetryPolicy } from './retry-policy.ts'
export * from './service.ts'
export { endOfAbort } from './turn-end.ts'
export * from './types.ts'

export const name = 'agent'
export const inject: string[] = ['llm', 'sessions', 'tools']

/** Mounts `ctx.agents`. */
export function apply(ctx: Context, config: Config): void {
  new LoopAgentService(ctx, config, systemClock, systemRandom)
}
