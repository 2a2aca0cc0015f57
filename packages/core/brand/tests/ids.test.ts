import { expect, test } from 'vitest'
import { systemIds } from '../src/index.ts'

test('uuids are version 4, lower case and different', () => {
  const first = systemIds.uuid()
  expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(systemIds.uuid()).not.toBe(first)
})
