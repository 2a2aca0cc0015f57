import { isCount } from 'dsh-session'
import { isRecord, type JsonRecord, show } from './json.ts'

const BLOCK_TYPES = new Set<unknown>(['text', 'reasoning', 'tool-call'])
const FINISH_KINDS = new Set<unknown>(['stop', 'tool-calls', 'max-tokens', 'aborted', 'error'])

/**
 * Says what keeps a value from being a `StreamChunk`, or nothing. Only what an agent relies on is
 * checked: keys that later recordings add are served as they are.
 */
export function chunkProblem(value: unknown): string | undefined {
  if (!isRecord(value)) return `a chunk must be an object, not ${show(value)}`
  switch (value.type) {
    case 'block-start':
      return (
        indexProblem(value) ??
        (BLOCK_TYPES.has(value.blockType)
          ? undefined
          : `unknown "blockType" ${show(value.blockType)}`)
      )
    case 'text-delta':
    case 'reasoning-delta':
      return indexProblem(value) ?? stringProblem(value, 'text')
    case 'tool-call-delta':
      return (
        indexProblem(value) ??
        stringProblem(value, 'id') ??
        (value.name === undefined ? undefined : stringProblem(value, 'name')) ??
        stringProblem(value, 'argumentsDelta')
      )
    case 'block-end':
      return indexProblem(value) ?? blockProblem(value.block)
    case 'usage':
      return usageProblem(value.usage)
    case 'finish':
      return finishProblem(value.reason)
    default:
      return `unknown chunk type ${show(value.type)}`
  }
}

function indexProblem(chunk: JsonRecord): string | undefined {
  return isCount(chunk.index)
    ? undefined
    : `"index" must be an integer of 0 or more, not ${show(chunk.index)}`
}

function stringProblem(owner: JsonRecord, key: string): string | undefined {
  return typeof owner[key] === 'string'
    ? undefined
    : `"${key}" must be a string, not ${show(owner[key])}`
}

function blockProblem(block: unknown): string | undefined {
  if (!isRecord(block)) return `"block" must be an object, not ${show(block)}`
  if (!BLOCK_TYPES.has(block.type)) return `unknown block type ${show(block.type)}`
  if (block.type !== 'tool-call') return stringProblem(block, 'text')
  return (
    stringProblem(block, 'id') ?? stringProblem(block, 'name') ?? stringProblem(block, 'arguments')
  )
}

function usageProblem(usage: unknown): string | undefined {
  if (!isRecord(usage)) return `"usage" must be an object, not ${show(usage)}`
  const key = ['inputTokens', 'outputTokens'].find((name) => typeof usage[name] !== 'number')
  return key === undefined ? undefined : `"${key}" must be a number, not ${show(usage[key])}`
}

function finishProblem(reason: unknown): string | undefined {
  if (!isRecord(reason)) return `"reason" must be an object, not ${show(reason)}`
  return FINISH_KINDS.has(reason.kind) ? undefined : `unknown finish kind ${show(reason.kind)}`
}
