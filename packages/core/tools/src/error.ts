import { DshError } from 'dsh-brand'

/** Codes that the registry uses itself; tools add their own. */
export type ToolErrorCode = 'UNKNOWN_TOOL' | 'INVALID_ARGS' | 'DUPLICATE_TOOL' | (string & {})

/**
 * An expected failure of a tool: becomes a result with `Error: <message>` and, for programs,
 * `error: {name, code}`, where `name` is the class's name.
 */
export class ToolError extends DshError {
  declare readonly code: ToolErrorCode
}
