import type { Context } from '@deepseek-ai/cordis'
import * as acp from 'dsh-acp'
import { mountSpine } from 'dsh-spine'
import type { Config } from './config.ts'

export type { RunnerProcess } from 'dsh-spine'
export { Config } from './config.ts'
export * from './run.ts'

export const name = 'acp-demo'

/** Mounts the spine, the JSONL store and the bridge; adapter and tools are rows of their own. */
export function apply(ctx: Context, config: Config): void {
  mountSpine(ctx, config)
  ctx.plugin(acp, config.acp ?? {})
}
