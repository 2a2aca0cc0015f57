import { type Fields, isFields } from '../log/lines.ts'
import { type PiecePlace, Runs } from './runs.ts'

const CHUNKS = new Set<unknown>([
  'agent_message_chunk',
  'agent_thought_chunk',
  'user_message_chunk',
])

/**
 * Finds the texts that consecutive message chunks of a session amount to. Whatever else a session
 * says ends its text; an answer to a request may end a turn and so ends every text.
 */
export function findStdoutRuns(values: readonly unknown[]): Runs {
  const runs = new Runs()
  const open = new Map<unknown, { readonly kind: string; readonly add: (at: PiecePlace) => void }>()
  values.forEach((value, line) => {
    if (!isFields(value)) return
    const { params } = value
    if (!isFields(params)) {
      if (!('method' in value)) open.clear()
      return
    }
    const session = params['sessionId']
    const chunk = messageChunk(params)
    if (chunk === undefined) {
      open.delete(session)
      return
    }
    let run = open.get(session)
    if (run?.kind !== chunk.kind) {
      run = { kind: chunk.kind, add: runs.open() }
      open.set(session, run)
    }
    run.add({ line, path: ['params', 'update', 'content', 'text'], text: chunk.text })
  })
  return runs
}

function messageChunk(
  params: Fields,
): { readonly kind: string; readonly text: string } | undefined {
  const { update } = params
  if (!isFields(update) || !CHUNKS.has(update['sessionUpdate'])) return undefined
  const { content } = update
  if (!isFields(content) || content['type'] !== 'text') return undefined
  const { text } = content
  if (typeof text !== 'string') return undefined
  return { kind: JSON.stringify([update['sessionUpdate'], update['messageId']]), text }
}
