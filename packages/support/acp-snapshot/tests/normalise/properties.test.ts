import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createNormaliser } from '../../src/normalise/normaliser.ts'
import type { NormaliseOptions } from '../../src/normalise/types.ts'
import { header, jsonl } from '../temp.ts'

const IDS = [
  '00000000-aaaa-4aaa-8aaa-000000000000',
  '11111111-aaaa-4aaa-8aaa-111111111111',
  'abcdefab-bbbb-4bbb-8bbb-abcdefabcdef',
  'fedcbafe-bbbb-4bbb-8bbb-fedcbafedcba',
  'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb',
]
const ALIASES = ['/tmp/x', '/private/tmp/x', '/tmp/x/y z"q', '/t/é', '/a_']
const options: NormaliseOptions = { sessionIds: [IDS[0] ?? '', 'sess-0001'], cwdAliases: ALIASES }

/** Text in which paths, ids, tokens and everything that may stand around them meet. */
const part = fc.constantFrom(
  ...IDS,
  ...ALIASES,
  ...ALIASES.map((alias) => JSON.stringify(alias).slice(1, -1).replaceAll('/', '\\/')),
  'sess-0001',
  '{{id.1}}',
  '{{id.3}}',
  '{{cwd}}',
  '{{session}}',
  ...'/ . .. - _ ~ } {{ " \\ \\n \\b \\u00e9 n b 0 x y -I 目 file://'.split(' '),
  ' ',
)
const prose = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''))
/** A text and places to cut it. */
const cutText = fc.tuple(prose, fc.array(fc.nat(80), { maxLength: 6 })).map(([text, cuts]) => {
  const at = [...cuts.map((cut) => Math.min(cut, text.length)), 0, text.length].sort(
    (a, b) => a - b,
  )
  return at.slice(1).map((end, index) => text.slice(at[index], end))
})
const delta = (text: string) => ({
  type: 'assistant/chunk',
  seq: 1,
  time: 17,
  data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text } },
})
const event = fc.oneof(
  prose.map((text) => [{ type: 'user/message', seq: 0, time: 1, data: { [text]: [text] } }]),
  cutText.map((pieces) => [...pieces.map(delta), { type: 'step/end', seq: 2, time: 3, data: {} }]),
  cutText.map((texts) => [
    {
      type: 'text-chunks',
      seq0: 0,
      time0: 4,
      data: { turn: 1, step: 1, index: 0, dt: [1], texts },
    },
    { type: 'step/end', seq: 2, time: 3, data: {} },
  ]),
  fc
    .constantFrom(...IDS)
    .map((callId) => [{ type: 'tool/call', seq: 0, time: 0, data: { callId } }]),
)
const logText = fc
  .array(event, { maxLength: 8 })
  .map((groups) => jsonl(header(IDS[0] ?? ''), ...groups.flat()))
const update = (text: string) =>
  JSON.stringify({
    jsonrpc: '2.0',
    method: 'session/update',
    params: {
      sessionId: IDS[0],
      update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
    },
  })
const transcript = fc
  .array(fc.oneof(cutText, fc.nat(9)), { maxLength: 6 })
  .map((groups) =>
    groups.flatMap((group) =>
      typeof group === 'number' ? [JSON.stringify({ id: group, result: {} })] : group.map(update),
    ),
  )
const numbering = fc.constantFrom('after-present' as const, 'as-seen' as const)

it('is idempotent', () => {
  fc.assert(
    fc.property(logText, transcript, numbering, (log, lines, numbering) => {
      const first = createNormaliser({ ...options, numbering })
      const stdout = first.stdout(lines)
      const once = first.log(log, 2)
      const again = createNormaliser({ ...options, numbering })
      expect(again.stdout(stdout)).toEqual(stdout)
      expect(again.log(once, 2)).toBe(once)
    }),
    { numRuns: 300 },
  )
})

it('keeps the number of lines and of pieces', () => {
  fc.assert(
    fc.property(logText, (log) => {
      const shape = (text: string) =>
        text.split('\n').map((line) => {
          const value = (line === '' ? {} : JSON.parse(line)) as { data?: { texts?: string[] } }
          return value.data?.texts?.length
        })
      expect(shape(createNormaliser(options).log(log, 0))).toEqual(shape(log))
    }),
  )
})

it('gives the same text however it was cut', () => {
  fc.assert(
    fc.property(cutText, (pieces) => {
      const run = (parts: string[]) =>
        createNormaliser(options)
          .log(jsonl(...parts.map(delta)), 0)
          .trimEnd()
          .split('\n')
          .map((line) => (JSON.parse(line) as ReturnType<typeof delta>).data.chunk.text)
          .join('')
      expect(run(pieces)).toBe(run([pieces.join('')]))
    }),
  )
})

it('case R13: maps ids to tokens one to one', () => {
  const mention = fc.constantFrom(...IDS)
  fc.assert(
    fc.property(fc.array(fc.array(mention)), fc.array(mention), (logs, said) => {
      const normaliser = createNormaliser(options)
      const lines = normaliser.stdout(said.map((id) => JSON.stringify(id)))
      const tokens = lines.map((line) => JSON.parse(line) as string)
      const ids = [...said]
      for (const [rank, log] of logs.entries()) {
        ids.push(...log)
        const out = normaliser.log(jsonl(...log), rank).split('\n')
        tokens.push(...out.filter((line) => line !== '').map((line) => JSON.parse(line) as string))
      }
      const tokenOf = new Map(ids.map((id, index) => [id, tokens[index]]))
      expect(ids.map((id) => tokenOf.get(id))).toEqual(tokens)
      expect(new Set(tokenOf.values()).size).toBe(tokenOf.size)
    }),
  )
})
