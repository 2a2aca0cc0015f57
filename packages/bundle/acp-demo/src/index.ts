import type { Context } from '@deepseek-ai/cordis'
import * as acp from 'dsh-acp'
import * as agent from 'dsh-agent'
import * as llm from 'dsh-llm'
import * as session from 'dsh-session'
import * as sessionJsonl from 'dsh-session-jsonl'
import * as tools from 'dsh-tools'
import type { Config } from './config.ts'

export { Config } from './config.ts'
export * from './run.ts'
export * from './streams.ts'

export const name = 'acp-demo'

/** Mounts the spine, the JSONL store and the bridge; adapter and tools are rows of their own. */
export function apply(ctx: Context, config: Config): void {
  ctx.plugin(llm)
  ctx.plugin(session)
  ctx.plugin(sessionJsonl, { root: config.sessionsRoot, packChunks: config.packChunks })
  ctx.plugin(tools)
  ctx.plugin(agent, config.agent ?? {})
  ctx.plugin(acp, config.acp ?? {})
}
