import type { RandomSource } from 'dsh-brand'
import type { Failure } from './failure.ts'

/** When a failed call is made again. Every number is decided. */
export interface RetryPolicy {
  /** Attempts per step in all, 1 or more; 1 means no retry. */
  readonly maxAttempts: number
  /** The longest wait before the second attempt, in milliseconds; doubled for each further one. */
  readonly baseDelayMs: number
  /** The longest wait of all, in milliseconds. */
  readonly maxDelayMs: number
}

/** Three attempts of a call, at most half a second apart at first and half a minute ever. */
export const DEFAULT_RETRY: RetryPolicy = {
  maxAttempts: 3,
  baseDelayMs: 500,
  maxDelayMs: 30_000,
}

export type RetryDecision =
  | { readonly kind: 'retry'; readonly delayMs: number }
  /** `why` is for the message of the turn's end; absent where the failure itself says enough. */
  | { readonly kind: 'stop'; readonly why?: string }

/**
 * Codes of failures that may be over a moment later. A replay that refuses a call has codes of its
 * own, none of them here: trying again would hide what it found.
 */
const TRANSIENT: ReadonlySet<string | undefined> = new Set([
  'RATE_LIMIT',
  'SERVER',
  'STREAM_CLOSED',
  'EMPTY_RESPONSE',
])

/**
 * Whether a call is made again after its attempt number `attempt` (from 1) failed. `shown` says that
 * a piece of an answer has come: clients have it on their screens, and a second answer would follow
 * the first half of another.
 *
 * The wait is a random part of the exponential bound (so that many callers do not come back as one),
 * and at least what the provider asked for; a provider that asks for more than `maxDelayMs` is not
 * asked again.
 */
export function decideRetry(
  policy: RetryPolicy,
  failure: Failure,
  { attempt, shown }: { readonly attempt: number; readonly shown: boolean },
  random: RandomSource,
): RetryDecision {
  if (shown || !TRANSIENT.has(failure.code)) return { kind: 'stop' }
  const { maxAttempts, baseDelayMs, maxDelayMs } = policy
  if (attempt >= maxAttempts) {
    return { kind: 'stop', ...(attempt > 1 && { why: `gave up after ${attempt} attempts` }) }
  }
  const { retryAfterMs = 0 } = failure
  if (retryAfterMs > maxDelayMs) {
    const why = `not tried again, since it asks to wait ${retryAfterMs} ms; retry.maxDelayMs allows ${maxDelayMs} ms`
    return { kind: 'stop', why }
  }
  const bound = Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1))
  const jittered = Math.floor(random.fraction() * (bound + 1))
  return { kind: 'retry', delayMs: Math.max(retryAfterMs, jittered) }
}
