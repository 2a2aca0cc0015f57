import { DshError } from 'dsh-brand'

export type AgentErrorCode = 'BUSY' | 'DISPOSED' | 'DUPLICATE_AGENT' | 'STEERING_FULL'

export class AgentError extends DshError {
  declare readonly code: AgentErrorCode

  constructor(code: AgentErrorCode, message: string) {
    super(code, message)
  }
}
