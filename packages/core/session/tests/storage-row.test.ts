import { expect, test } from 'vitest'
import {
  decodeStorageRecord,
  packChunkRuns,
  ROW_SHAPES,
  rowShape,
  type StorageRecord,
} from '../src/index.ts'
import { event } from './support.ts'

test.each(ROW_SHAPES)('$tag: says where packing puts what', ({ tag, chunk, piece, pieces }) => {
  const texts = ['a', 'b', 'c']
  const deltas = texts.map((text, seq) => {
    const delta = { type: chunk, index: 0, ...(piece === 'text' ? {} : { id: 'i' }), [piece]: text }
    return event(seq, 'assistant/chunk', { turn: 1, step: 1, chunk: delta })
  })
  const [row, ...others] = packChunkRuns(deltas) as (StorageRecord & { data: object })[]
  expect(others).toEqual([])
  expect(row).toMatchObject({ type: tag, data: { [pieces]: texts } })
  expect(decodeStorageRecord(row)).toEqual(deltas)
  expect(rowShape(tag)).toEqual({ tag, chunk, piece, pieces })
})
