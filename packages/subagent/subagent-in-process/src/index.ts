import type { Context } from '@deepseek-ai/cordis'
import { z } from 'zod'
import { forkProvider, spawnProvider } from './provider.ts'

export const name = 'subagent-in-process'
export const inject: string[] = ['agents', 'sessions', 'subagents']

/** Nothing to configure. */
export interface Config {}

export const Config: z.ZodType<Config> = z.strictObject({}).prefault({})

/** Registers the providers `spawn` and `fork`. */
export function apply(ctx: Context): void {
  ctx.subagents.register(spawnProvider(ctx))
  ctx.subagents.register(forkProvider(ctx))
}
