import { expect, test } from 'vitest'
import { hasCode } from '../src/file-system.ts'
import { systemError } from './faults.ts'

test('knows the system’s errors by their codes', () => {
  expect(hasCode(systemError('ENOENT'), 'EEXIST', 'ENOENT')).toBe(true)
  expect(hasCode(systemError('ENOENT'), 'EEXIST')).toBe(false)
  expect(hasCode(new Error('ENOENT'), 'ENOENT')).toBe(false)
  expect(hasCode({ code: 'ENOENT' }, 'ENOENT')).toBe(false)
})
