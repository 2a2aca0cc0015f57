import type { Context } from '@deepseek-ai/cordis'
import type { SessionEvent } from 'dsh-session'
import type { ProviderRequest, SubagentProvider } from 'dsh-subagent'
import { InProcessRun } from './run.ts'
import { seedOf } from './seed.ts'

/** Children with an empty conversation. */
export function spawnProvider(ctx: Context): SubagentProvider {
  return { name: 'spawn', start: (request) => startChild(ctx, request, []) }
}

/** Children with a copy of what their parent has completed. */
export function forkProvider(ctx: Context): SubagentProvider {
  return {
    name: 'fork',
    start: (request) => startChild(ctx, request, seedOf(request.parent.events)),
  }
}

function startChild(
  ctx: Context,
  { parent, spawnedBy, ...request }: ProviderRequest,
  seed: readonly SessionEvent[],
): InProcessRun {
  const model = ctx.agents.get(parent)?.model
  const session = ctx.sessions.create({
    cwd: parent.cwd,
    parentSession: parent.id,
    seed,
    spawnedBy,
  })
  const agent = ctx.agents.create({ session, ...(model !== undefined && { model }) })
  return new InProcessRun(ctx, agent, request)
}
