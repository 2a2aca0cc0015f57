import type { Context } from '@deepseek-ai/cordis'
import * as agent from 'dsh-agent'
import * as llm from 'dsh-llm'
import * as session from 'dsh-session'
import * as sessionJsonl from 'dsh-session-jsonl'
import * as tools from 'dsh-tools'
import type { SpineConfig } from './config.ts'

/**
 * Mounts what every agent has: model seam, sessions, JSONL store, tools and loop. Adapter and tools
 * are rows of their own.
 */
export function mountSpine(ctx: Context, config: SpineConfig): void {
  ctx.plugin(llm)
  ctx.plugin(session)
  ctx.plugin(sessionJsonl, { root: config.sessionsRoot, packChunks: config.packChunks })
  ctx.plugin(tools)
  ctx.plugin(agent, config.agent ?? {})
}
