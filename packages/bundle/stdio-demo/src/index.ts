import type { Context } from '@deepseek-ai/cordis'
import { mountSpine, SpineConfig } from 'dsh-spine'

export * from './run.ts'
export type { ShellStreams } from './shell.ts'

/** The configuration of the row: that of the spine. */
export type Config = SpineConfig
export const Config: typeof SpineConfig = SpineConfig

export const name = 'stdio-demo'

/** Mounts the spine and the JSONL store; adapter and tools are rows of their own. */
export function apply(ctx: Context, config: Config): void {
  mountSpine(ctx, config)
}
