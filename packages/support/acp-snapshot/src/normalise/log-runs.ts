import { ROW_SHAPES, rowShape } from 'dsh-session'
import { type Fields, isFields } from '../log/lines.ts'
import { type PiecePlace, Runs } from './runs.ts'

type Add = (place: PiecePlace) => void

/** The key of the piece in a delta chunk. */
const DELTAS: ReadonlyMap<string, string> = new Map(
  ROW_SHAPES.map(({ chunk, piece }) => [chunk, piece]),
)

/** Events after which no open text of a model call goes on. */
const ENDS_CALL = new Set<unknown>([
  'turn/start',
  'turn/end',
  'step/start',
  'step/end',
  'assistant/message',
  'llm/failure',
  'llm/retry',
  'llm/retry-started',
])

/** Finds the texts that the deltas of each block amount to, in events and in packed rows. */
export function findLogRuns(values: readonly unknown[]): Runs {
  const runs = new Runs()
  const open = new Map<unknown, { readonly delta: string; readonly add: Add }>()

  const runOf = (index: unknown, delta: string): Add => {
    const current = open.get(index)
    if (current?.delta === delta) return current.add
    const add = runs.open()
    open.set(index, { delta, add })
    return add
  }

  const chunk = (chunk: Fields, line: number): void => {
    const { type, index } = chunk
    const key = typeof type === 'string' ? DELTAS.get(type) : undefined
    if (key === undefined) {
      if (type === 'finish') open.clear()
      else open.delete(index)
      return
    }
    const text = chunk[key]
    if (typeof text !== 'string') return
    runOf(index, String(type))({ line, path: ['data', 'chunk', key], text })
  }

  values.forEach((value, line) => {
    if (!isFields(value)) return
    if (ENDS_CALL.has(value['type'])) open.clear()
    const { data } = value
    if (!isFields(data)) return
    if (value['type'] === 'assistant/chunk' && isFields(data['chunk'])) chunk(data['chunk'], line)
    const row = rowShape(value['type'])
    if (row === undefined || !Array.isArray(data[row.pieces])) return
    const add = runOf(data['index'], row.chunk)
    ;(data[row.pieces] as readonly unknown[]).forEach((text, member) => {
      if (typeof text === 'string') add({ line, path: ['data', row.pieces, member], text })
    })
  })
  return runs
}
