import { z } from 'zod'
import { DEFAULT_RETRY, type RetryPolicy } from './retry-policy.ts'

/** Configuration of the agent loop. */
export interface Config {
  /** The model of every request. */
  model?: string | undefined
  /** Sampling temperature of every request. Default: the provider's. */
  temperature?: number | undefined
  /** The most tokens that one answer may have. Default: the provider's. */
  maxTokens?: number | undefined
  /** Texts at which the model stops. Default: none. */
  stop?: string[] | undefined
  /** Replaces the built-in instructions; the working directory is always added. */
  systemPrompt?: string | undefined
  /** When a failed model call is made again; `maxAttempts: 1` means never. */
  retry?:
    | {
        maxAttempts?: number | undefined
        baseDelayMs?: number | undefined
        maxDelayMs?: number | undefined
      }
    | undefined
  /**
   * Log what ended a model call that brought no answer (`llm/failure`), and retries (`llm/retry`).
   * Default true. Without them the logs are those of programs that do not know these events, and a
   * failed call cannot be replayed from them.
   */
  logOutcomes?: boolean | undefined
}

const MAX_ATTEMPTS = 10
const MAX_DELAY_MS = 3_600_000

/** The policy that a configuration asks for. */
export function retryPolicy(config: Config['retry']): RetryPolicy {
  return {
    maxAttempts: config?.maxAttempts ?? DEFAULT_RETRY.maxAttempts,
    baseDelayMs: config?.baseDelayMs ?? DEFAULT_RETRY.baseDelayMs,
    maxDelayMs: config?.maxDelayMs ?? DEFAULT_RETRY.maxDelayMs,
  }
}

/** The model of an agent whose row names none. */
export const DEFAULT_MODEL = 'deepseek-v4-flash'

export const Config: z.ZodType<Config> = z
  .strictObject({
    model: z.string().min(1).optional(),
    temperature: z.number().min(0).max(2).optional(),
    maxTokens: z.int().positive().optional(),
    stop: z.array(z.string().min(1)).optional(),
    systemPrompt: z.string().optional(),
    retry: z
      .strictObject({
        maxAttempts: z.int().positive().max(MAX_ATTEMPTS).optional(),
        baseDelayMs: z.int().nonnegative().max(MAX_DELAY_MS).optional(),
        maxDelayMs: z.int().nonnegative().max(MAX_DELAY_MS).optional(),
      } satisfies Record<keyof NonNullable<Config['retry']>, z.ZodType>)
      .optional(),
    logOutcomes: z.boolean().optional(),
  } satisfies Record<keyof Config, z.ZodType>)
  .prefault({})
