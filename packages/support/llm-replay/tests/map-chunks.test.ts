import type { StreamChunk } from 'dsh-llm'
import { describe, expect, it } from 'vitest'
import { cwdMapping } from '../src/index.ts'
import { mapChunks } from '../src/map-chunks.ts'
import { answer } from './helpers/log.ts'

const mapping = cwdMapping('/rec/w', '/live/w')
const text = (piece: string, index = 0): StreamChunk => ({ type: 'text-delta', index, text: piece })
const thought = (piece: string, index = 0): StreamChunk => ({
  type: 'reasoning-delta',
  index,
  text: piece,
})
const args = (piece: string, index = 0): StreamChunk => ({
  type: 'tool-call-delta',
  index,
  id: 'c',
  name: 'read',
  argumentsDelta: piece,
})
const end = (
  block: Extract<StreamChunk, { type: 'block-end' }>['block'],
  index = 0,
): StreamChunk => ({
  type: 'block-end',
  index,
  block,
})

describe('mapChunks', () => {
  it('case R10: passes the same objects on, in the same array, when there is nothing to map', () => {
    const chunks = [
      ...answer('/rec/wide'),
      args('{"path":"a"}'),
      end({ type: 'tool-call', id: 'c', name: 'read', arguments: '{"path":"a"}' }),
    ]
    expect(mapChunks(chunks, mapping)).toBe(chunks)
  })

  it('maps a path that the stream has cut, and its block-end', () => {
    const chunks = [
      { type: 'block-start', index: 0, blockType: 'text' } as const,
      text('in /re'),
      text('c'),
      text('/w/a, '),
      text('done'),
      end({ type: 'text', text: 'in /rec/w/a, done' }),
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } } as const,
      { type: 'finish', reason: { kind: 'stop' } } as const,
    ]
    const mapped = mapChunks(chunks, mapping)
    expect(mapped).toEqual([
      chunks[0],
      text('in /live/w'),
      text(''),
      text('/a, '),
      text('done'),
      end({ type: 'text', text: 'in /live/w/a, done' }),
      ...chunks.slice(6),
    ])
    for (const at of [0, 4, 6, 7]) expect(mapped[at]).toBe(chunks[at])
    expect(chunks[1]).toEqual(text('in /re'))
  })

  it('searches each block on its own: by kind, by index, and after its end', () => {
    const chunks = [
      text('/rec'),
      thought('/w'),
      text('/w', 1),
      end({ type: 'text', text: '/rec' }),
      text('/w'),
    ]
    expect(mapChunks(chunks, mapping)).toBe(chunks)
  })

  it('ends a text where a log does: another kind of delta, or the block begun again', () => {
    const start: StreamChunk = { type: 'block-start', index: 0, blockType: 'text' }
    const usage: StreamChunk = { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } }
    const chunks = [text('/rec'), thought('/w'), text('/w'), text('/rec'), start, text('/w')]
    expect(mapChunks(chunks, mapping)).toBe(chunks)
    for (const between of [start, end({ type: 'text', text: '/rec' })]) {
      const parted = [text('/rec'), between, text('/w')]
      expect(mapChunks(parted, mapping)).toBe(parted)
    }
    expect(mapChunks([text('/rec'), usage, text('/w')], mapping)).toEqual([
      text('/live/w'),
      usage,
      text(''),
    ])
  })

  it('writes the live path into arguments as JSON does, and elsewhere as it is', () => {
    const quoted = cwdMapping('/rec/w', '/live/"w"')
    expect(mapChunks([text('/rec/w'), thought('/rec/w', 1), args('"/rec/w"', 2)], quoted)).toEqual([
      text('/live/"w"'),
      thought('/live/"w"', 1),
      args('"/live/\\"w\\""', 2),
    ])
  })

  it('maps interleaved blocks', () => {
    const chunks = [text('/re', 0), text('/rec', 1), text('c/w', 0), text('/w', 1)]
    expect(mapChunks(chunks, mapping)).toEqual([
      text('/live/w', 0),
      text('/live/w', 1),
      text('', 0),
      text('', 1),
    ])
  })

  it('maps reasoning as text, and arguments as JSON', () => {
    const block = {
      type: 'tool-call',
      id: 'c',
      name: 'read',
      arguments: '{"p":"\\n/rec\\/w"}',
    } as const
    const chunks = [
      thought('/rec/w \\n/rec/w'),
      end({ type: 'reasoning', text: '/rec/w \\n/rec/w' }),
      args('{"p":"\\n/r', 1),
      args('ec\\/w"}', 1),
      end(block, 1),
    ]
    expect(mapChunks(chunks, mapping)).toEqual([
      thought('/live/w \\n/live/w'),
      end({ type: 'reasoning', text: '/live/w \\n/live/w' }),
      args('{"p":"\\n/live/w', 1),
      args('"}', 1),
      end({ ...block, arguments: '{"p":"\\n/live/w"}' }, 1),
    ])
  })
})
