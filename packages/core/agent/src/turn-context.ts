import type { Clock, RandomSource } from 'dsh-brand'
import type { GenerateOptions, LlmService, RetryWait } from 'dsh-llm'
import type { Session } from 'dsh-session'
import type { ToolRegistry } from 'dsh-tools'
import type { HeaderLog } from './header-log.ts'
import type { RetryPolicy } from './retry-policy.ts'
import type { PromptInput } from './types.ts'

/** What a turn works with. */
export interface TurnContext {
  readonly session: Session
  readonly llm: LlmService
  readonly tools: ToolRegistry
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly headers: HeaderLog
  readonly retry: RetryPolicy
  readonly random: RandomSource
  /** Whether failures and retries are logged. */
  readonly logOutcomes: boolean
  /** Resolves once the next attempt may be made, or on abort. */
  waitToRetry(wait: RetryWait): Promise<void>
  /** Takes what is waiting to be steered in. */
  drainSteering(): readonly PromptInput[]
  hasSteering(): boolean
  /** The request of the next step, last look included; without signal and session id. */
  assemble(): GenerateOptions
}
