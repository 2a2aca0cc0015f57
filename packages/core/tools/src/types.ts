import type { Clock, JsonObject } from 'dsh-brand'
import type { ContentBlock, ToolSchema } from 'dsh-llm'
import type { Session } from 'dsh-session'

/** What kind of effect a tool has; editors show it (the kinds of the Agent Client Protocol). */
export type ToolKind =
  | 'read'
  | 'edit'
  | 'delete'
  | 'move'
  | 'search'
  | 'execute'
  | 'think'
  | 'fetch'
  | 'other'

/** One execution of a tool. */
export interface ToolCallContext {
  readonly session: Session
  /** Absolute; relative paths in arguments resolve against it. */
  readonly cwd: string
  readonly turn: number
  readonly step: number
  /** Zero-based position of the tool-call block among those of its assistant message. */
  readonly call: number
  readonly callId: string
  /** Aborts when the turn is cancelled or the agent disposed. The tool must then end soon. */
  readonly signal: AbortSignal
  readonly clock: Clock
}

/** What reaches the log and the model. `isError` is false where absent. */
export interface ToolOutcome {
  readonly content: readonly ContentBlock[]
  readonly isError?: boolean
  /** Only with `isError`. */
  readonly error?: { readonly name: string; readonly code: string }
  /** For clients and the log, never for the model. */
  readonly meta?: JsonObject
}

/** How a call is shown while it runs. Must not throw; arguments are whatever the model wrote. */
export interface ToolDisplay {
  readonly title: string
  /** Files that the call is about, as the model named them. */
  readonly paths?: readonly string[]
}

/**
 * A tool. `execute` gets the parsed arguments unchecked and validates them itself (`ToolError` with
 * code `INVALID_ARGS`). Anything it throws becomes an error result: a `ToolError`, like every other
 * `DshError`, with its name and code, anything else with the message alone. It never throws for an
 * outcome that the model should read as normal.
 */
export interface Tool {
  readonly name: string
  readonly description: string
  /** JSON Schema of type object. */
  readonly parameters: JsonObject
  readonly kind: ToolKind
  /** Whether calls of one step may overlap. Absent means no. */
  readonly parallel?: boolean
  display?(args: unknown): ToolDisplay
  execute(args: unknown, context: ToolCallContext): Promise<ToolOutcome>
}

/** A call as the model wrote it. */
export interface ToolRequest {
  readonly name: string
  /** The raw JSON text; empty counts as `{}`. */
  readonly arguments: string
}

/** `ctx.tools`: the registry, and the one way to run a tool. */
export interface ToolRegistry {
  /**
   * Offers a tool until the returned function is called or the calling plugin is disposed.
   * @throws ToolError `DUPLICATE_TOOL`.
   */
  register(tool: Tool): () => void
  get(name: string): Tool | undefined
  /** In lexicographic order (by UTF-16 code unit) of their names. */
  schemas(): readonly ToolSchema[]
  /**
   * Runs one call through the `tools/execute` waterfall. Never rejects: an unknown tool
   * (`UNKNOWN_TOOL`), arguments that do not parse (`INVALID_ARGS`) and everything that the tool
   * throws become an outcome with the text `Error: <message>` and `isError: true`.
   */
  execute(request: ToolRequest, context: ToolCallContext): Promise<ToolOutcome>
}

declare module '@deepseek-ai/cordis' {
  interface Context {
    tools: ToolRegistry
  }
  interface Events {
    /**
     * Every execution passes here. A listener returns `next()` or an outcome of its own; what it
     * throws becomes an error outcome.
     * @mode waterfall
     */
    'tools/execute'(
      request: ToolRequest,
      context: ToolCallContext,
      next: () => Promise<ToolOutcome>,
    ): Promise<ToolOutcome>
  }
}
