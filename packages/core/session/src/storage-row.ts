import type { StorageRecord, StorageRow } from './types.ts'

/** The type of a packed row, as `text-chunks`. */
export type RowTag = StorageRow['type']

/** What a packed row is made of. */
export interface RowShape {
  readonly tag: RowTag
  /** The type of its members' chunks. */
  readonly chunk: 'text-delta' | 'reasoning-delta' | 'tool-call-delta'
  /** Where a chunk has its piece of text, and where the row has all of them. */
  readonly piece: 'text' | 'argumentsDelta'
  readonly pieces: 'texts' | 'args'
}

/** Every kind of row. The tags have no slash, like the header's, so that no event can be one. */
export const ROW_SHAPES: readonly RowShape[] = [
  { tag: 'text-chunks', chunk: 'text-delta', piece: 'text', pieces: 'texts' },
  { tag: 'reasoning-chunks', chunk: 'reasoning-delta', piece: 'text', pieces: 'texts' },
  { tag: 'tool-call-chunks', chunk: 'tool-call-delta', piece: 'argumentsDelta', pieces: 'args' },
]

const byTag: ReadonlyMap<unknown, RowShape> = new Map(ROW_SHAPES.map((shape) => [shape.tag, shape]))

/** The shape of the rows with this tag; undefined where it is no row's. */
export function rowShape(type: unknown): RowShape | undefined {
  return byTag.get(type)
}

/** Whether a type is that of a packed row. */
export function isRowTag(type: unknown): type is RowTag {
  return byTag.has(type)
}

/** Whether a record is meant as a packed row; whether it is a sound one, decoding says. */
export function isStorageRow(record: StorageRecord): record is StorageRow {
  return byTag.has(record.type)
}
