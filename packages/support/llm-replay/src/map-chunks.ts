import type { AssistantBlock, StreamChunk } from 'dsh-llm'
import type { CwdMapping } from './cwd.ts'
import { replaceAcrossDeltas, replaceInText } from './deltas.ts'

type Delta = Extract<StreamChunk, { type: 'text-delta' | 'reasoning-delta' | 'tool-call-delta' }>
/** The deltas of one block, with their places among the call's chunks. */
type Run = { readonly at: number; readonly delta: Delta }[]

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
  for (const run of deltaRuns(chunks)) {
    const before = run.map(({ delta }) => deltaText(delta))
    const find = run[0]?.delta.type === 'tool-call-delta' ? mapping.json : mapping.text
    for (const [member, text] of replaceAcrossDeltas(before, find).entries()) {
      const { at, delta } = run[member] as Run[number]
      if (text !== before[member]) put(at, withText(delta, text))
    }
  }
  for (const [at, chunk] of chunks.entries()) {
    if (chunk.type !== 'block-end') continue
    const block = mapBlock(chunk.block, mapping)
    if (block !== chunk.block) put(at, { ...chunk, block })
  }
  return mapped ?? chunks
}

function deltaRuns(chunks: readonly StreamChunk[]): Iterable<Run> {
  const runs = new Map<string, Run>()
  const ended = new Map<number, number>()
  for (const [at, chunk] of chunks.entries()) {
    switch (chunk.type) {
      case 'block-end':
        ended.set(chunk.index, at)
        break
      case 'text-delta':
      case 'reasoning-delta':
      case 'tool-call-delta': {
        // What follows a block's end is another text, even under the same index.
        const key = `${chunk.type} ${chunk.index} ${ended.get(chunk.index)}`
        const run = runs.get(key) ?? []
        run.push({ at, delta: chunk })
        runs.set(key, run)
        break
      }
      case 'block-start':
      case 'usage':
      case 'finish':
        break
    }
  }
  return runs.values()
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
