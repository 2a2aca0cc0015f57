import { expect, it } from 'vitest'
import { endOfAbort, TurnAbort } from '../src/turn-end.ts'

it('an abort that is not a turn abort is a plain one', () => {
  expect(endOfAbort(AbortSignal.abort())).toEqual({ kind: 'aborted' })
  expect(endOfAbort(AbortSignal.abort(new TurnAbort({ kind: 'disposed' })))).toEqual({
    kind: 'disposed',
  })
  expect(new TurnAbort({ kind: 'disposed' }).message).toBe('aborted')
})
