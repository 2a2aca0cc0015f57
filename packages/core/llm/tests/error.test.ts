import { DshError } from 'dsh-brand'
import { expect, test } from 'vitest'
import { abortedError, LlmError } from '../src/index.ts'

test('an LlmError carries what a retry needs', () => {
  const cause = new Error('inner')
  const error = new LlmError('RATE_LIMIT', 'slow down', { status: 429, retryAfterMs: 2000, cause })
  expect(DshError.is(error)).toBe(true)
  expect(error).toMatchObject({
    name: 'LlmError',
    code: 'RATE_LIMIT',
    message: 'slow down',
    status: 429,
    retryAfterMs: 2000,
    cause,
  })
})

test('details are optional', () => {
  const error = new LlmError('SERVER', 'm')
  expect(error.status).toBeUndefined()
  expect(error.retryAfterMs).toBeUndefined()
  expect('cause' in error).toBe(false)
})

test('an aborted call says aborted, as code and as message', () => {
  expect(abortedError()).toMatchObject({ code: 'aborted', message: 'aborted' })
})
