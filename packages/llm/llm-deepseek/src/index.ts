import type { Context } from '@deepseek-ai/cordis'
import { systemClock } from 'dsh-brand'
import { createDeepSeekAdapter } from './adapter.ts'
import { type Config, resolveSettings } from './config.ts'

export * from './adapter.ts'
export * from './config.ts'
export type { SseLimits } from './sse.ts'

export const name = 'llm-deepseek'
export const inject: string[] = ['llm']

/** Registers the adapter with `ctx.llm` for as long as the plugin is loaded. */
export function apply(ctx: Context, config: Config): void {
  ctx.llm.register(
    createDeepSeekAdapter(resolveSettings(config, process.env), {
      clock: systemClock,
      fetch: (input, init) => fetch(input, init),
      lineageOf: (sessionId) => ctx.get('lineageOf')?.(sessionId),
    }),
  )
}
