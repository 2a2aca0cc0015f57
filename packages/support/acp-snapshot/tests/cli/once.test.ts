import { expect, it } from 'vitest'
import { once } from '../../src/cli/once.ts'

const failed = (name: string, cause: string, runDir?: string) => ({
  name,
  status: 'failed' as const,
  lines: [`${name} in full`],
  cause,
  ...(runDir !== undefined && { runDir }),
})

it('tells one cause in full once, and where each run lies', () => {
  const said = new Map<string, string>()
  expect(once(said, failed('a', 'no key'))).toEqual(['a in full'])
  expect(once(said, failed('b', 'no key', '/tmp/b'))).toEqual([
    '✗ b: the same fault as a',
    '  run       /tmp/b',
  ])
  expect(once(said, failed('c', 'no key'))).toEqual(['✗ c: the same fault as a'])
  expect(once(said, failed('d', 'no network'))).toEqual(['d in full'])
})

it('leaves everything else as it is', () => {
  const said = new Map<string, string>()
  const passed = { name: 'a', status: 'passed' as const, lines: ['fine'] }
  expect(once(said, passed)).toEqual(['fine'])
  expect(once(said, passed)).toEqual(['fine'])
})
