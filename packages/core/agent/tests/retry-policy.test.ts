import { describe, expect, it } from 'vitest'
import { retryPolicy } from '../src/config.ts'
import { Config, DEFAULT_RETRY } from '../src/index.ts'
import { decideRetry, type RetryPolicy } from '../src/retry-policy.ts'

const policy: RetryPolicy = { maxAttempts: 4, baseDelayMs: 100, maxDelayMs: 350 }
const at = (attempt: number, shown = false) => ({ attempt, shown })
const chance = (value: number) => ({ fraction: () => value })
const almostOne = chance(1 - Number.EPSILON)
const failure = (code?: string, retryAfterMs?: number) => ({
  message: 'm',
  ...(code !== undefined && { code }),
  ...(retryAfterMs !== undefined && { retryAfterMs }),
})

describe('decideRetry', () => {
  it.each(['RATE_LIMIT', 'SERVER', 'STREAM_CLOSED', 'EMPTY_RESPONSE'])('tries %s again', (code) => {
    expect(decideRetry(policy, failure(code), at(1), chance(0.5))).toEqual({
      kind: 'retry',
      delayMs: 50,
    })
  })

  it.each([
    'AUTH',
    'INVALID_REQUEST',
    'MALFORMED_RESPONSE',
    'NO_ADAPTER',
    'HTTP_404',
    'FINISH_REASON',
    'aborted',
    undefined,
  ])('leaves it at %s', (code) => {
    expect(decideRetry(policy, failure(code), at(1), chance(0))).toEqual({ kind: 'stop' })
  })

  it.each([
    'SCRIPT_EXHAUSTED',
    'UNRECORDED_SESSION',
    'LANE_TAKEN',
    'LANE_POISONED',
    'UNRECORDED_PURPOSE',
    'UNRECORDED_RETRY',
    'MISSING_RETRY',
    'TOOL_NOT_OFFERED',
    'REPORT_FAILED',
    'REPLAY_DISPOSED',
  ])('case R7: never tries again what a replay refused (%s)', (code) => {
    expect(decideRetry(policy, failure(code), at(1), chance(0))).toEqual({ kind: 'stop' })
  })

  it('leaves it at an answer that has begun', () => {
    expect(decideRetry(policy, failure('SERVER'), at(1, true), chance(0))).toEqual({ kind: 'stop' })
  })

  it('doubles the bound of the wait up to the longest, and takes a random part of it', () => {
    const waits = (source: { fraction(): number }) =>
      [1, 2, 3].map((attempt) => decideRetry(policy, failure('SERVER'), at(attempt), source))
    expect(waits(almostOne)).toEqual([100, 200, 350].map((delayMs) => ({ kind: 'retry', delayMs })))
    expect(waits(chance(0))).toEqual([0, 0, 0].map((delayMs) => ({ kind: 'retry', delayMs })))
  })

  it('waits at least as long as it was asked to, and gives up loudly where that is too long', () => {
    const decide = (retryAfterMs: number) =>
      decideRetry(policy, failure('RATE_LIMIT', retryAfterMs), at(1), almostOne)
    expect(decide(40)).toEqual({ kind: 'retry', delayMs: 100 })
    expect(decide(350)).toEqual({ kind: 'retry', delayMs: 350 })
    expect(decide(351)).toEqual({
      kind: 'stop',
      why: 'not tried again, since it asks to wait 351 ms; retry.maxDelayMs allows 350 ms',
    })
  })

  it('gives up after the last attempt, and says after how many', () => {
    expect(decideRetry(policy, failure('SERVER'), at(4), chance(0))).toEqual({
      kind: 'stop',
      why: 'gave up after 4 attempts',
    })
    const once = { ...policy, maxAttempts: 1 }
    expect(decideRetry(once, failure('SERVER'), at(1), chance(0))).toEqual({ kind: 'stop' })
  })
})

describe('the configuration of retries', () => {
  it('fills in what is left out', () => {
    expect(retryPolicy(undefined)).toEqual(DEFAULT_RETRY)
    expect(DEFAULT_RETRY).toEqual({ maxAttempts: 3, baseDelayMs: 500, maxDelayMs: 30_000 })
    expect(retryPolicy({ maxAttempts: 1 })).toEqual({ ...DEFAULT_RETRY, maxAttempts: 1 })
    expect(retryPolicy({ baseDelayMs: 0, maxDelayMs: 0 })).toEqual({
      maxAttempts: 3,
      baseDelayMs: 0,
      maxDelayMs: 0,
    })
  })

  it.each([
    [{ maxAttempts: 0 }],
    [{ maxAttempts: 11 }],
    [{ baseDelayMs: -1 }],
    [{ maxDelayMs: 3_600_001 }],
    [{ maxRetries: 2 }],
  ])('refuses %o', (retry) => {
    expect(() => Config.parse({ retry })).toThrow()
  })

  it('takes bounds at their limits', () => {
    const retry = { maxAttempts: 10, baseDelayMs: 0, maxDelayMs: 3_600_000 }
    expect(Config.parse({ retry, logOutcomes: false })).toEqual({ retry, logOutcomes: false })
  })
})
