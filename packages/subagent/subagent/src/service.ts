import { type Context, Service } from '@deepseek-ai/cordis'
import { DEFAULT_MAX_DEPTH, type Config } from './config.ts'
import { depthOf } from './depth.ts'
import { cancelled, SubagentError } from './error.ts'
import { Places } from './places.ts'
import { toolFor } from './tools.ts'
import type { SubagentProvider, SubagentRegistry, SubagentRequest, SubagentRun } from './types.ts'

/** `ctx.subagents`. */
export class SubagentService extends Service implements SubagentRegistry {
  // TypeScript-private only: calls go through a proxy, which #private does not survive.
  private readonly own: Context
  private readonly maxDepth: number
  private readonly providers = new Map<string, SubagentProvider>()
  private readonly places = new Places()

  constructor(ctx: Context, config: Config) {
    super(ctx, 'subagents')
    // `this.ctx` is the caller's, who need not know of tools and sessions.
    this.own = ctx
    this.maxDepth = config.maxDepth ?? DEFAULT_MAX_DEPTH
  }

  register(provider: SubagentProvider): () => void {
    const { name } = provider
    const { own, providers } = this
    if (providers.has(name)) {
      throw new SubagentError(
        'DUPLICATE_PROVIDER',
        `a subagent provider named "${name}" is already registered; disable one of the two`,
      )
    }
    const dispose = this.ctx.effect(() => {
      // A model must not be offered what nobody would answer, so the tool comes and goes with it.
      const tool = toolFor(name, this)
      const withdraw = tool === undefined ? undefined : own.tools.register(tool)
      providers.set(name, provider)
      return () => {
        providers.delete(name)
        withdraw?.()
      }
    }, `subagent provider ${name}`)
    return () => void dispose()
  }

  start(name: string, request: SubagentRequest): SubagentRun {
    const provider = this.providers.get(name)
    if (provider === undefined) throw this.unknownProvider(name)
    const { prompt, parent, origin, signal } = request
    if (signal.aborted) throw cancelled()
    const { own, maxDepth } = this
    const depth = depthOf(parent, (id) => own.sessions.get(id))
    if (depth >= maxDepth) {
      throw new SubagentError(
        'SUBAGENT_DEPTH',
        `subagents may be nested ${maxDepth} deep, and this agent is at depth ${depth}; do the task without delegating it`,
      )
    }
    return provider.start({ prompt, parent, spawnedBy: this.places.next(parent, origin), signal })
  }

  private unknownProvider(name: string): SubagentError {
    const names = [...this.providers.keys()].sort().join(', ')
    return new SubagentError(
      'UNKNOWN_PROVIDER',
      `no subagent provider is named "${name}" (registered: ${names === '' ? 'none' : names}); ` +
        'mount the plugin that has it',
    )
  }
}
