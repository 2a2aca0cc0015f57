import { expect, it } from 'vitest'
import { promptResponse } from '../src/outcome.ts'

it.each([
  [{ kind: 'completed' }, 'end_turn'],
  [{ kind: 'max-tokens' }, 'max_tokens'],
  [{ kind: 'aborted', reason: 'session/cancel' }, 'cancelled'],
  [{ kind: 'disposed' }, 'cancelled'],
  [{ kind: 'interrupted' }, 'cancelled'],
  [{ kind: 'rejected', reason: 'policy' }, 'refusal'],
] as const)('%j becomes %s', (reason, stopReason) => {
  expect(promptResponse(reason)).toEqual({ stopReason })
})

it('an error turn becomes an internal error with the message and without data', () => {
  expect(() => promptResponse({ kind: 'error', step: 1, message: 'no key', code: 'AUTH' })).toThrow(
    expect.objectContaining({
      code: -32603,
      message: 'Internal error: turn failed: no key',
      data: undefined,
    }),
  )
})
