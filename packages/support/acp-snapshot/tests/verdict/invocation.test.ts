import { expect, it } from 'vitest'
import { DEFAULT_INVOCATION, invocationOf } from '../../src/verdict/invocation.ts'

it('puts the mode where the project wants it', () => {
  expect(invocationOf(DEFAULT_INVOCATION, 'refresh', 'one')).toBe(
    'pnpm run test:snapshot:refresh one',
  )
  expect(invocationOf('npx x {mode} --{mode}', 'record', 'one')).toBe('npx x record --record one')
})
