import { ToolError } from 'dsh-tools'

/** Why a delegation did not end well. Stable, for programs. */
export type SubagentErrorCode =
  /** The parent, or whoever waits for it, cancelled the run. */
  | 'SUBAGENT_ABORTED'
  /** The child's turn failed; its log says why. */
  | 'SUBAGENT_FAILED'
  /** The child's answer was cut at its token limit. */
  | 'SUBAGENT_MAX_TOKENS'
  /** The parent is nested as deeply as the configuration allows. */
  | 'SUBAGENT_DEPTH'
  | 'UNKNOWN_PROVIDER'
  | 'DUPLICATE_PROVIDER'

/** A run that gave no answer, or was refused. */
export class SubagentError extends ToolError {
  declare readonly code: SubagentErrorCode

  constructor(code: SubagentErrorCode, message: string) {
    super(code, message)
  }
}

/** The one wording of a cancelled run, whether it was stopped or never started. */
export function cancelled(): SubagentError {
  return new SubagentError('SUBAGENT_ABORTED', 'subagent run was cancelled')
}
