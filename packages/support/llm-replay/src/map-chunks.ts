import type { AssistantBlock, StreamChunk } from 'dsh-llm'
import type { CwdMapping } from './cwd.ts'
import { editPieces, replaceInText } from './deltas.ts'

type Delta = Extract<StreamChunk, { type: 'text-delta' | 'reasoning-delta' | 'tool-call-delta' }>
type BlockEnd = Extract<StreamChunk, { type: 'block-end' }>

/** The deltas of one block: their joined text, and their places among the call's chunks. */
interface Run {
  readonly type: Delta['type']
  readonly index: number
  text: string
  readonly places: number[]
}

/**
 * Maps the working directory within the text of one call. A block's deltas are searched as one text,
 * since streams cut paths anywhere. Chunks keep their number and order; a chunk whose text does not
 * change is passed on as the same object, and so is the array when none does.
 */
export function mapChunks(
  chunks: readonly StreamChunk[],
  mapping: CwdMapping,
): readonly StreamChunk[] {
  let mapped: StreamChunk[] | undefined
  const put = (at: number, chunk: StreamChunk): void => {
    mapped ??= [...chunks]
    mapped[at] = chunk
  }
  const { runs, ends } = findTexts(chunks)
  for (const { type, text, places } of runs) {
    const edits = (type === 'tool-call-delta' ? mapping.json : mapping.text)(text)
    if (edits.length === 0) continue
    const delta = (member: number): Delta => chunks[places[member] as number] as Delta
    editPieces(
      text,
      edits,
      (member) => deltaText(delta(member)),
      (member, piece) => put(places[member] as number, withText(delta(member), piece)),
    )
  }
  for (const at of ends) {
    const chunk = chunks[at] as BlockEnd
    const block = mapBlock(chunk.block, mapping)
    if (block !== chunk.block) put(at, { ...chunk, block })
  }
  return mapped ?? chunks
}

/**
 * Where a call has text: in runs of deltas, and in its blocks' ends. Another kind of delta, or
 * another chunk of the block, ends a text, as it does where logs are normalised.
 */
function findTexts(chunks: readonly StreamChunk[]): { runs: readonly Run[]; ends: number[] } {
  const runs: Run[] = []
  const ends: number[] = []
  const open = new Map<number, Run>()
  let run: Run | undefined
  for (let at = 0; at < chunks.length; at++) {
    const chunk = chunks[at] as StreamChunk
    if (!isDelta(chunk)) {
      if (chunk.type === 'block-end') ends.push(at)
      if ('index' in chunk) {
        open.delete(chunk.index)
        run = undefined
      }
      continue
    }
    const { type, index } = chunk
    // Deltas of one block mostly follow each other: a lookup for each would cost more than the rest.
    if (run?.type !== type || run.index !== index) {
      run = open.get(index)
      if (run?.type !== type) {
        run = { type, index, text: '', places: [] }
        runs.push(run)
        open.set(index, run)
      }
    }
    run.text += deltaText(chunk)
    run.places.push(at)
  }
  return { runs, ends }
}

function isDelta(chunk: StreamChunk): chunk is Delta {
  return (
    chunk.type === 'text-delta' ||
    chunk.type === 'reasoning-delta' ||
    chunk.type === 'tool-call-delta'
  )
}

function deltaText(delta: Delta): string {
  return delta.type === 'tool-call-delta' ? delta.argumentsDelta : delta.text
}

function withText(delta: Delta, text: string): Delta {
  return delta.type === 'tool-call-delta' ? { ...delta, argumentsDelta: text } : { ...delta, text }
}

function mapBlock(block: AssistantBlock, mapping: CwdMapping): AssistantBlock {
  if (block.type === 'tool-call') {
    const mapped = replaceInText(block.arguments, mapping.json)
    return mapped === block.arguments ? block : { ...block, arguments: mapped }
  }
  const mapped = replaceInText(block.text, mapping.text)
  return mapped === block.text ? block : { ...block, text: mapped }
}
