import type { Context } from '@deepseek-ai/cordis'
import type { Config } from './config.ts'
import { AcpBridge } from './service.ts'

export { Config } from './config.ts'
export * from './types.ts'

export const name = 'acp'
export const inject: string[] = ['sessions', 'tools', 'agents']

/** Mounts `ctx.acp`; nothing is opened until `serve` is called. */
export function apply(ctx: Context, config: Config): void {
  new AcpBridge(ctx, config)
}
