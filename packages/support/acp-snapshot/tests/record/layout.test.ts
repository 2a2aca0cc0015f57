import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inLayout, inLayoutsOf, layoutOf } from '../../src/record/layout.ts'
import { header, jsonl, tempTree } from '../temp.ts'

const HEAD = header('{{session}}', { cwd: '{{cwd}}' })
const piece = (seq: number, text: string) => ({
  type: 'assistant/chunk',
  seq,
  time: 0,
  data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text } },
})
const row = { turn: 1, step: 1, index: 0, dt: [0, 0], texts: ['a', 'b', 'c'] }
const start = { type: 'turn/start', seq: 0, time: 0, data: { turn: 1 } }
const plain = jsonl(HEAD, start, piece(1, 'a'), piece(2, 'b'), piece(3, 'c'))
const packed = jsonl(HEAD, start, { type: 'text-chunks', seq0: 1, time0: 0, data: row })
const projected = jsonl(
  HEAD,
  { type: 'turn/start', data: { turn: 1 } },
  { type: 'text-chunks', data: row },
)
const LAYOUTS = {
  plain: [plain, { packed: false, projected: false }],
  packed: [packed, { packed: true, projected: false }],
  projected: [projected, { packed: true, projected: true }],
} as const

describe('a layout', () => {
  it.each(Object.entries(LAYOUTS))(
    '%s is seen, and each other comes to it',
    (_name, [text, is]) => {
      expect(layoutOf(text)).toEqual(is)
      for (const [other] of Object.values(LAYOUTS)) expect(inLayout(other, is)).toBe(text)
    },
  )

  it('of an unpacked log without numbers', () => {
    const bare = { packed: false, projected: true }
    const lines = plain.replaceAll(/"seq":\d,"time":0,/g, '')
    expect(layoutOf(lines)).toEqual(bare)
    expect(inLayout(packed, bare)).toBe(lines)
  })

  it.each(['', jsonl(HEAD), `${jsonl(HEAD)}[1]\n`, 'no JSON'])('is none in %j', (text) => {
    expect(layoutOf(text)).toBeUndefined()
  })
})

describe('new files', () => {
  it('get the layout of what is there, log by log', async () => {
    const dir = tempTree({
      'session.jsonl': packed,
      'session.1.jsonl': plain,
      'session.2.jsonl': 'damaged',
      'session.4.jsonl': projected,
      'stdout.expected.jsonl': packed,
    })
    const files = new Map([
      ['session.jsonl', plain],
      ['session.1.jsonl', packed],
      ['session.2.jsonl', packed],
      ['session.3.jsonl', packed],
      ['session.4.jsonl', packed],
      ['stdout.expected.jsonl', plain],
    ])
    expect([...(await inLayoutsOf(dir, files))]).toEqual([
      ['session.jsonl', packed],
      ['session.1.jsonl', plain],
      ['session.2.jsonl', packed],
      ['session.3.jsonl', packed],
      ['session.4.jsonl', projected],
      ['stdout.expected.jsonl', plain],
    ])
    expect([...(await inLayoutsOf(join(dir, 'none'), files))]).toEqual([...files])
  })

  it('keep their bytes where the layout is the same already', async () => {
    const odd = packed.replace('{"type":"turn/start"', '{ "type":"turn/start"')
    const dir = tempTree({ 'session.jsonl': packed })
    const files = new Map([['session.jsonl', odd]])
    expect((await inLayoutsOf(dir, files)).get('session.jsonl')).toBe(odd)
  })
})
