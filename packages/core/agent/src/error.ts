import { DshError } from 'dsh-brand'

/**
 * `BUSY`: a turn runs already. `DISPOSED`: the agent has ended. `DUPLICATE_AGENT`: the session has
 * one. `STEERING_FULL`: too many inputs wait for the turn.
 */
export type AgentErrorCode = 'BUSY' | 'DISPOSED' | 'DUPLICATE_AGENT' | 'STEERING_FULL'

/** Why an agent does not take what it was asked. */
export class AgentError extends DshError {
  declare readonly code: AgentErrorCode

  constructor(code: AgentErrorCode, message: string) {
    super(code, message)
  }
}
