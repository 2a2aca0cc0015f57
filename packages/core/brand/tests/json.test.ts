import { expectTypeOf, test } from 'vitest'
import type { Json, JsonObject } from '../src/index.ts'

test('Json admits what JSON can hold and nothing else', () => {
  expectTypeOf<{ readonly a: readonly [1, 'x', null, { readonly b: true }] }>().toExtend<Json>()
  expectTypeOf<JsonObject>().toExtend<Json>()
  expectTypeOf<undefined>().not.toExtend<Json>()
  expectTypeOf<bigint>().not.toExtend<Json>()
  expectTypeOf<() => void>().not.toExtend<Json>()
  expectTypeOf<Json[]>().not.toExtend<JsonObject>()
})
