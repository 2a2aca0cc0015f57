import type { SessionEvent } from '../src/index.ts'

export interface ChunkParts {
  readonly seq: number
  readonly time?: number
  readonly turn?: number
  readonly step?: number
}

/** An `assistant/chunk` event. */
export function chunkEvent(
  { seq, time = 100 + seq, turn = 1, step = 1 }: ChunkParts,
  chunk: object,
): SessionEvent {
  return { type: 'assistant/chunk', seq, time, data: { turn, step, chunk } }
}

export const text = (piece: string, index = 0): object => ({
  type: 'text-delta',
  index,
  text: piece,
})
export const reasoning = (piece: string, index = 0): object => ({
  type: 'reasoning-delta',
  index,
  text: piece,
})
export const call = (piece: string, more: object = { name: 'bash' }): object => ({
  type: 'tool-call-delta',
  index: 0,
  id: 'c1',
  ...more,
  argumentsDelta: piece,
})

/** Consecutive chunk events from a `seq` on. */
export function run(chunks: readonly object[], seq = 0): SessionEvent[] {
  return chunks.map((chunk, at) => chunkEvent({ seq: seq + at }, chunk))
}
