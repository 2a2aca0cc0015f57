import { expect, it } from 'vitest'
import { DEFAULT_INVOCATION, scriptInvocation } from '../../src/verdict/invocation.ts'

it('puts the mode where the project wants it', () => {
  expect(scriptInvocation(DEFAULT_INVOCATION)('refresh', ['one'])).toBe(
    'pnpm run test:snapshot:refresh one',
  )
  expect(scriptInvocation('npx x {mode} --{mode}')('record', ['one', 'two'])).toBe(
    'npx x record --record one two',
  )
  expect(scriptInvocation('go')('refresh', [])).toBe('go:refresh')
})
