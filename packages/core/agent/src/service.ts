import { type Context, Service } from '@deepseek-ai/cordis'
import { type Clock, delay, type RandomSource } from 'dsh-brand'
import type { GenerateOptions } from 'dsh-llm'
import type { RequestConfig, Session, SessionHeader } from 'dsh-session'
import { type AgentRuntime, LoopAgent } from './agent.ts'
import { type Config, DEFAULT_MODEL, retryPolicy } from './config.ts'
import { AgentError } from './error.ts'
import { HeaderLog } from './header-log.ts'
import { configOf } from './request.ts'
import type { RetryPolicy } from './retry-policy.ts'
import { systemPrompt } from './system-prompt.ts'
import type { Agent, AgentService, CreateAgentOptions } from './types.ts'

/** Makes agents and keeps them until they are disposed: `ctx.agents`. */
export class LoopAgentService extends Service implements AgentService {
  readonly config: RequestConfig
  // TypeScript-private only: calls go through a proxy, which #private does not survive.
  private readonly instructions: string | undefined
  private readonly clock: Clock
  private readonly random: RandomSource
  private readonly retry: RetryPolicy
  private readonly logOutcomes: boolean
  private readonly agents = new Map<Session, Agent>()

  constructor(ctx: Context, config: Config, clock: Clock, random: RandomSource) {
    super(ctx, 'agents')
    this.config = configOf({ ...config, model: config.model ?? DEFAULT_MODEL })
    this.instructions = config.systemPrompt
    this.clock = clock
    this.random = random
    this.retry = retryPolicy(config.retry)
    this.logOutcomes = config.logOutcomes ?? true
  }

  create(options: CreateAgentOptions): Agent {
    const { session } = options
    if (this.agents.has(session)) {
      const message = `session ${session.id} already has an agent; use agents.get(session)`
      throw new AgentError('DUPLICATE_AGENT', message)
    }
    const agent = new LoopAgent(session, this.runtime(session, options.model ?? this.config.model))
    this.agents.set(session, agent)
    return agent
  }

  get(session: Session): Agent | undefined {
    return this.agents.get(session)
  }

  async disposeAll(): Promise<void> {
    const newestFirst = [...this.agents.values()].toReversed()
    const results = await Promise.allSettled(newestFirst.map((agent) => agent.dispose()))
    const errors = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    )
    if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('; '))
  }

  private async disposeChildren(parent: Session): Promise<void> {
    const above = this.withParents(parent)
    const children = [...this.agents.values()].filter(
      ({ session }) => session.header.parentSession === parent.id && !above.has(session),
    )
    await Promise.allSettled(children.map((child) => child.dispose()))
  }

  /** Damaged logs may name one another as parents; waiting for those would never end. */
  private withParents(session: Session): ReadonlySet<Session> {
    const line = new Set<Session>()
    for (let at: Session | undefined = session; at !== undefined && !line.has(at); ) {
      line.add(at)
      const { parentSession }: SessionHeader = at.header
      at = parentSession === undefined ? undefined : this.ctx.sessions.get(parentSession)
    }
    return line
  }

  private runtime(session: Session, model: string): AgentRuntime {
    const { ctx, clock, random, retry, logOutcomes } = this
    return {
      sessions: ctx.sessions,
      llm: ctx.llm,
      tools: ctx.tools,
      clock,
      random,
      retry,
      logOutcomes,
      headers: new HeaderLog(session),
      model,
      waitToRetry: (wait) =>
        ctx.waterfall('llm/retry-delay', wait, () => delay(clock, wait.delayMs, wait.signal)),
      assemble: () => this.assemble(session, model),
      disposeChildren: () => this.disposeChildren(session),
      onDisposed: () => this.agents.delete(session),
    }
  }

  private assemble(session: Session, model: string): GenerateOptions {
    const request: GenerateOptions = {
      ...this.config,
      model,
      system: systemPrompt(this.instructions, session.cwd),
      messages: session.history(),
      tools: this.ctx.tools.schemas(),
    }
    return this.ctx.waterfall('agent/request', request, session, () => request)
  }
}
