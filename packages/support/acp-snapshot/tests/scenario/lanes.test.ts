import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { expectedLanes } from '../../src/scenario/lanes.ts'
import { header, jsonl, tempTree } from '../temp.ts'

const chunk = { type: 'finish', reason: { kind: 'stop' } }
const call = (turn: number, step: number, seq: number) => ({
  type: 'assistant/chunk',
  seq,
  time: 0,
  data: { turn, step, chunk },
})

it('says which calls are retries: those within the step of the call before', () => {
  const places = [
    [1, 1],
    [1, 1],
    [1, 1],
    [1, 2],
    [2, 2],
    [2, 3],
    [2, 3],
  ] as const
  const dir = tempTree({
    'session.jsonl': jsonl(
      header('p', { root: 0 }),
      ...places.map(([turn, step], seq) => call(turn, step, seq)),
    ),
    'session.1.jsonl': jsonl(header('c', { parentSession: 'p' }), call(1, 1, 0), call(1, 2, 1)),
  })
  const logFiles = ['session.jsonl', 'session.1.jsonl'].map((name) => join(dir, name))
  expect(
    expectedLanes({ name: basename(dir), dir, logFiles, input: { steps: [], source: 'wire' } }),
  ).toEqual([
    { file: 'session.jsonl', calls: 7, lineage: '0', retries: [2, 3, 7] },
    { file: 'session.1.jsonl', calls: 2 },
  ])
})
