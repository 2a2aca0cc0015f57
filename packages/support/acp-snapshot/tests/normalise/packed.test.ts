import {
  decodeStorageRecord,
  packChunkRuns,
  parseLogText,
  serializeEvent,
  serializeRecord,
} from 'dsh-session'
import { describe, expect, it } from 'vitest'
import { normaliserForRecording } from '../../src/normalise/index.ts'
import { compareLogs } from '../../src/verdict/compare.ts'
import { header, jsonl } from '../temp.ts'

const CWD = '/home/me/project'
const UUID = '3e25dc34-48e0-4738-8401-1a8d181d37e5'

/** A call in three blocks, each of which says the cwd and an id in pieces. */
function events(): { type: string; seq: number; time: number; data: unknown }[] {
  const list: { type: string; seq: number; time: number; data: unknown }[] = []
  const add = (type: string, data: object): void => {
    list.push({ type, seq: list.length, time: 1783352166075 + list.length * 7, data })
  }
  const chunk = (value: object): void => {
    add('assistant/chunk', { turn: 1, step: 1, chunk: value })
  }
  const pieces = [
    'look at /home',
    '/me',
    '/pro',
    'ject/a',
    ' for ',
    UUID.slice(0, 9),
    UUID.slice(9),
  ]
  const name = { id: 'call_00_x', name: 'bash' }
  add('turn/start', { turn: 1 })
  for (const text of pieces) chunk({ type: 'reasoning-delta', index: 0, text })
  for (const text of pieces) {
    chunk({ type: 'tool-call-delta', index: 1, ...name, argumentsDelta: text })
  }
  for (const text of pieces) chunk({ type: 'text-delta', index: 2, text })
  const text = pieces.join('')
  chunk({ type: 'block-end', index: 2, block: { type: 'text', text } })
  chunk({ type: 'finish', reason: { kind: 'stop' } })
  add('turn/end', { turn: 1 })
  return list
}

const plain = jsonl(header('s', { cwd: CWD }), ...events())
/** In batches of so many events, as a backend writes them. */
const packed = (size: number): string => {
  const all = events()
  const batches = Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    packChunkRuns(all.slice(at * size, (at + 1) * size)),
  )
  return jsonl(header('s', { cwd: CWD }), ...batches.flat())
}
const normal = (log: string): string => normaliserForRecording([log]).log(log, 0)

/** The events of a log, packed or not, as the lines that they would be without packing. */
function unpacked(log: string): string[] {
  const [first = '', ...rest] = log.trimEnd().split('\n')
  const lines = rest.flatMap((line) => decodeStorageRecord(JSON.parse(line)))
  return [first, ...lines.map(serializeEvent)]
}

describe('a packed log', () => {
  it('has rows of all three kinds here', () => {
    const tags = packed(100).match(/"type":"[a-z-]+-chunks"/g)
    expect(tags).toEqual([
      '"type":"reasoning-chunks"',
      '"type":"tool-call-chunks"',
      '"type":"text-chunks"',
    ])
  })

  it.each([100, 10, 4, 3])(
    'normalises to the events of the plain one, in batches of %i',
    (size) => {
      const out = normal(packed(size))
      expect(unpacked(out)).toEqual(normal(plain).trimEnd().split('\n'))
      expect(out).not.toMatch(/home|17833|3e25/)
      expect(normal(out)).toBe(out)
    },
  )

  it('stays packed: a row keeps its members, its times and gaps are 0', () => {
    const [, , row = ''] = normal(packed(100)).split('\n')
    expect(row).toBe(
      '{"type":"reasoning-chunks","seq0":1,"time0":0,"data":{"turn":1,"step":1,"index":0,"dt":[0,0,0,0,0,0],' +
        '"texts":["look at {{cwd}}","","","/a"," for ","{{id.1}}",""]}}',
    )
  })

  it('compares equal with the plain one, and shows a difference in its place', () => {
    const [expected, actual] = [normal(packed(100)), normal(plain)]
    expect(compareLogs([{ name: 'a', text: expected }], [{ name: 'b', text: actual }])).toEqual([])
    expect(compareLogs([{ name: 'a', text: actual }], [{ name: 'b', text: expected }])).toEqual([])
    const other = expected.replace('" for "', '" as "')
    expect(compareLogs([{ name: 'a', text: other }], [{ name: 'b', text: actual }])).toMatchObject([
      {
        kind: 'log-differs',
        file: 'a',
        difference: { line: 3, eventType: 'assistant/chunk', path: 'data.chunk.text' },
      },
    ])
  })

  it('packing what is normal is what normalising the packed log gives', () => {
    const { events: parsed } = parseLogText(normal(plain))
    const [first = ''] = normal(plain).split('\n')
    const lines = [first, ...packChunkRuns(parsed).map(serializeRecord)]
    expect(`${lines.join('\n')}\n`).toBe(normal(packed(100)))
  })
})
