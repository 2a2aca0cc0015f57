import { LlmError } from 'dsh-llm'
import { describe, expect, it } from 'vitest'
import { failureOf } from '../src/failure.ts'

describe('failureOf', () => {
  it('tells what an LlmError tells, in the order of the log', () => {
    const error = new LlmError('RATE_LIMIT', 'slow down', { status: 429, retryAfterMs: 2_000 })
    expect(JSON.stringify(failureOf(error))).toBe(
      '{"message":"slow down","code":"RATE_LIMIT","status":429,"retryAfterMs":2000}',
    )
  })

  it.each([
    [new Error('plain'), { message: 'plain' }],
    ['text', { message: 'text' }],
    [null, { message: 'null' }],
    [undefined, { message: 'undefined' }],
    [{ message: 'm', code: 7, status: '429', retryAfterMs: null }, { message: 'm' }],
    [
      { message: 'm', status: Number.POSITIVE_INFINITY, retryAfterMs: Number.NaN },
      { message: 'm' },
    ],
    [
      { message: 'm', status: -0, retryAfterMs: 0.5 },
      { message: 'm', status: 0, retryAfterMs: 1 },
    ],
    [
      { message: 'm', retryAfterMs: Number.POSITIVE_INFINITY },
      { message: 'm', retryAfterMs: Number.MAX_SAFE_INTEGER },
    ],
    [
      { message: 'm', retryAfterMs: 1e300 },
      { message: 'm', retryAfterMs: Number.MAX_SAFE_INTEGER },
    ],
    [
      { message: 'm', retryAfterMs: -3 },
      { message: 'm', retryAfterMs: 0 },
    ],
  ])('gives nothing that a log could not hold: %o', (error, failure) => {
    const read = failureOf(error)
    expect(read).toEqual(failure)
    expect(Object.is(read.status, -0)).toBe(false)
  })

  it('survives an error that cannot be looked into', () => {
    const broken = {
      get message(): string {
        throw new Error('no')
      },
      get code(): string {
        throw new Error('no')
      },
    }
    expect(failureOf(broken)).toEqual({ message: 'unknown error' })
  })
})
