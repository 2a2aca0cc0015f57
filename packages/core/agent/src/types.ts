import type { ContentBlock, GenerateOptions } from 'dsh-llm'
import type { RequestConfig, Session, Source, TurnEndReason } from 'dsh-session'

/** One input to a turn. */
export interface PromptInput {
  readonly content: readonly ContentBlock[]
  /** The user where absent. */
  readonly source?: Source
}

/** How a turn ended. Turns are counted from 1. */
export interface TurnResult {
  readonly turn: number
  readonly reason: TurnEndReason
}

/**
 * Drives one session. One turn runs at a time.
 *
 * A turn: `turn/start`, the queued prompts, steps until the model asks for no tool, `turn/end`, then
 * the awaited `session/flush`.
 */
export interface Agent {
  readonly session: Session
  /** What its requests name, before the last look (`agent/request`). */
  readonly model: string
  /** Whether a turn is running. */
  readonly busy: boolean
  /**
   * Runs a turn. Resolves once its end is logged and flushed, whatever the end was.
   * @throws AgentError `BUSY` when a turn is running, `DISPOSED` afterwards; what the flush threw.
   */
  prompt(input: PromptInput): Promise<TurnResult>
  /**
   * Delivers a message at the running turn's next step boundary; where none comes, at the first one
   * of the next turn.
   * @throws AgentError `DISPOSED`; `STEERING_FULL` when 1,000 messages wait already.
   */
  steer(input: PromptInput): void
  /**
   * Ends the running turn as `aborted` with this reason. Does nothing when idle. The turn's promise
   * resolves once the model stream and the tools have let go.
   */
  cancel(reason: string): void
  /**
   * Ends a running turn as `disposed`, awaits its flush, disposes the session. Agents of its child
   * sessions go first; when one of them fails, whoever disposes that one gets to know, and this one
   * goes on. Idempotent; all callers await the same end.
   */
  dispose(): Promise<void>
}

/** The session that a new agent drives, and its model. */
export interface CreateAgentOptions {
  /** Must not be driven by another agent, and is disposed with this one. */
  readonly session: Session
  /** What the configuration gives, where absent. */
  readonly model?: string
}

/** `ctx.agents`: agents by session. */
export interface AgentService {
  /** What every request of new agents carries. */
  readonly config: RequestConfig
  /** @throws AgentError `DUPLICATE_AGENT` when the session is being driven already. */
  create(options: CreateAgentOptions): Agent
  get(session: Session): Agent | undefined
  /** Disposes all agents, children first. */
  disposeAll(): Promise<void>
}

declare module '@deepseek-ai/cordis' {
  interface Context {
    agents: AgentService
  }
  interface Events {
    /**
     * The last look at a request before it is sent. A listener returns `next()`, or a changed copy of
     * what it was given.
     * @mode waterfall
     */
    'agent/request'(
      request: GenerateOptions,
      session: Session,
      next: () => GenerateOptions,
    ): GenerateOptions
  }
}
