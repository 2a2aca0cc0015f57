import type { Session, SpawnedBy } from 'dsh-session'

/** How a child's run ended. `aborted` is a cancel or a disposal, its parent's included. */
export type SubagentStopReason = 'completed' | 'aborted' | 'error' | 'max-tokens'

/** What became of a child, for the tool that started it. */
export interface SubagentResult {
  /**
   * The text of the last assistant message that the child wrote in this run, its text blocks joined
   * without a separator; empty where that message has no text, or where there is none. Also after a
   * run that did not complete.
   */
  readonly output: string
  readonly stopReason: SubagentStopReason
}

/** A child at work. */
export interface SubagentRun {
  /** Names the run within its provider; the child's session id where the child is a session here. */
  readonly id: string
  /** The end of the child's work. Never rejects: a failure is a result too. */
  readonly result: Promise<SubagentResult>
  /**
   * Releases all that the child holds, ending it first (as `aborted`) where it is still at work.
   * Whoever started the run must call it, whatever the result. Idempotent; all callers await the
   * same end.
   * @throws what kept the child's log from being written.
   */
  dispose(): Promise<void>
}

/**
 * Where a child is started: in a tool call (a `ToolCallContext` fits), or by a plugin on its own
 * account, whose place is then the last turn and step of the parent's log, 0 where it has none.
 */
export type SubagentOrigin =
  | {
      readonly turn: number
      readonly step: number
      readonly call: number
      readonly callId: string
      readonly plugin?: never
    }
  | { readonly plugin: string }

/** What a caller asks for. */
export interface SubagentRequest {
  /** What the child is asked, as a user would ask it. */
  readonly prompt: string
  /** The session on whose behalf. */
  readonly parent: Session
  readonly origin: SubagentOrigin
  /** Ends the child, as `aborted`, also while it streams. */
  readonly signal: AbortSignal
}

/** What a provider is asked for. */
export interface ProviderRequest {
  readonly prompt: string
  readonly parent: Session
  /** The child's place, for the header of its log. */
  readonly spawnedBy: SpawnedBy
  /** Not aborted yet. */
  readonly signal: AbortSignal
}

/**
 * One way of having work done by another agent. `start` begins at once and returns the run; once it
 * has returned, nothing but `dispose` and the result speaks for the child. What it throws leaves no
 * child behind.
 */
export interface SubagentProvider {
  readonly name: string
  start(request: ProviderRequest): SubagentRun
}

/** `ctx.subagents`: who can be asked to work, and the one way to ask. */
export interface SubagentRegistry {
  /**
   * Offers a provider, and the tool that delegates to it where there is one, until the returned
   * function is called or the calling plugin is disposed.
   * @throws SubagentError `DUPLICATE_PROVIDER`.
   */
  register(provider: SubagentProvider): () => void
  /**
   * Starts a child. Its place is decided before this returns, so that children keep their places
   * whichever of them is faster.
   * @throws SubagentError `UNKNOWN_PROVIDER`; `SUBAGENT_DEPTH` when the parent is nested as deeply as
   *   the configuration allows; `SUBAGENT_ABORTED` when the signal has aborted already. What the
   *   provider throws.
   */
  start(provider: string, request: SubagentRequest): SubagentRun
}

declare module '@deepseek-ai/cordis' {
  interface Context {
    subagents: SubagentRegistry
  }
}
