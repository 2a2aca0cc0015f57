import { expect, expectTypeOf, test } from 'vitest'
import { type Branded, brandString } from '../src/index.ts'

test('a brand changes the type and not the value', () => {
  const id = brandString<'SessionId'>('s-1')
  expect(id).toBe('s-1')
  expectTypeOf(id).toEqualTypeOf<Branded<'SessionId'>>()
})

test('brands of one tag are one type, brands of two tags are not', () => {
  type Mine = Branded<'SessionId'>
  expectTypeOf<Mine>().toEqualTypeOf<Branded<'SessionId'>>()
  expectTypeOf<Mine>().toExtend<string>()
  expectTypeOf<string>().not.toExtend<Mine>()
  expectTypeOf<Branded<'CallId'>>().not.toExtend<Mine>()
})
