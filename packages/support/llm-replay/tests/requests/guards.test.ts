import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { type Fault, patchedCopy } from '../../../../../scripts/lib/patched-copy.ts'
import { tempFolder } from '../helpers/log.ts'
import { type Outcome, PARTS, type Parts, replayed } from './loop.ts'

const folder = tempFolder()
const core = (name: string): string =>
  fileURLToPath(new URL(`../../../../core/${name}/src`, import.meta.url))

const HISTORY = 'messages: session.history(),'
const SEND = "this.ctx.waterfall('llm/stream', options, () =>"
const messages = (change: string): Fault => ({
  file: 'service.ts',
  find: HISTORY,
  replace: `messages: ((m: any): any => ${change})(session.history()),`,
})
const sent = (change: string): Fault => ({
  file: 'service.ts',
  find: SEND,
  replace: SEND.replace('options', `((o: any): any => (${change}))(options)`),
})

interface Guard {
  readonly name: string
  readonly part: keyof Parts
  readonly fault: Fault
  /** The first drift of each lane that has any: lane, call and path. */
  readonly drifts: readonly (readonly [lane: number, call: number, path: string])[]
  readonly values: readonly [expected: string | undefined, actual: string | undefined]
}

const GUARDS: readonly Guard[] = [
  {
    name: 'the last tool result is lost',
    part: 'agents',
    fault: messages("m.at(-1).content[0].type === 'tool-result' ? m.slice(0, -1) : m"),
    drifts: [[0, 2, 'messages[2]']],
    values: [
      '{"role":"user","content":[{"type":"tool-result","toolCallId":"a","content":[{"type":"text","text":"{{session}} is in {{cwd}}/src"}]}]}',
      undefined,
    ],
  },
  {
    name: 'a message is there twice',
    part: 'agents',
    fault: messages('m.length === 1 ? m : [m[0], ...m]'),
    drifts: [
      [0, 2, 'messages[1].role'],
      [1, 1, 'messages[1].role'],
    ],
    values: ['"assistant"', '"user"'],
  },
  {
    name: 'messages stand in another order',
    part: 'agents',
    fault: messages('m.toReversed()'),
    drifts: [
      [0, 2, 'messages[0].content[0].type'],
      [1, 1, 'messages[0].content[0].text'],
    ],
    values: ['"text"', '"tool-result"'],
  },
  {
    name: 'the mark of a steered message is lost',
    part: 'agents',
    fault: messages(
      "m.map((x: any) => ({ ...x, content: x.content.filter((b: any) => !b.text?.includes('context')) }))",
    ),
    drifts: [[0, 3, 'messages[5].content[0].text']],
    values: ['"<context source=\\"plugin\\">"', '"It is late."'],
  },
  {
    name: 'a copy forgets what it was told before',
    part: 'agents',
    fault: messages('session.header.parentSession === undefined ? m : m.slice(-1)'),
    drifts: [[1, 1, 'messages[0].content[0].text']],
    values: ['"Look around in {{cwd}}."', '"Who are you?"'],
  },
  {
    name: 'a word of the system prompt is another',
    part: 'llm',
    fault: sent("{ ...o, system: o.system.replace('coding agent', 'coding angel') }"),
    drifts: [
      [0, 1, 'system'],
      [1, 1, 'system'],
    ],
    values: [
      expect.stringContaining('a coding agent that') as never,
      expect.stringContaining('a coding angel that') as never,
    ],
  },
  {
    name: 'a tool is not offered',
    part: 'llm',
    fault: sent('{ ...o, tools: o.tools.slice(0, 1) }'),
    drifts: [
      [0, 1, 'tools[1]'],
      [1, 1, 'tools[1]'],
    ],
    values: [expect.stringContaining('"touch at the folder"') as never, undefined],
  },
  {
    name: 'the model is asked more warmly than is logged',
    part: 'llm',
    fault: sent('{ ...o, temperature: 1 }'),
    drifts: [
      [0, 1, 'config.temperature'],
      [1, 1, 'config.temperature'],
    ],
    values: [undefined, '1'],
  },
]

const places = ({ drifts }: Outcome): unknown[] =>
  drifts.map(({ lane, call, path }) => [lane, call, path])

it.each(GUARDS)('would see that $name, which no log tells', async (guard) => {
  const { part, fault, drifts, values } = guard
  const copy = patchedCopy(core(part === 'agents' ? 'agent' : 'llm'), fault)
  try {
    const parts: Parts = { ...PARTS, [part]: await import(copy.index) }
    const unseen = await replayed(folder, parts, {})
    expect(unseen).toMatchObject({ same: true, drifts: [] })
    expect(unseen.report.filter(({ event }) => event === 'refused')).toEqual([])
    const seen = await replayed(folder, parts, { requests: 'strict' })
    expect(places(seen)).toEqual(drifts)
    expect([seen.drifts[0]?.expected, seen.drifts[0]?.actual]).toEqual(values)
    // Everything is answered, so that the rest can be compared.
    expect(seen.same).toBe(true)
    expect(seen.report.filter(({ event }) => event === 'served')).toHaveLength(5)
  } finally {
    copy.remove()
  }
})

it.each([true, false])('sees nothing in an agent that is sound (scrubbed: %s)', async (scrub) => {
  expect(await replayed(folder, PARTS, { requests: 'strict', scrub })).toMatchObject({
    same: true,
    drifts: [],
  })
})

it('sees another prompt that is logged only where the log holds it', async () => {
  const config = { systemPrompt: 'Be brief.' }
  const scrubbed = await replayed(folder, PARTS, { requests: 'strict', config })
  expect(scrubbed).toMatchObject({ same: true, drifts: [] })
  const pinned = await replayed(folder, PARTS, { requests: 'strict', scrub: false, config })
  expect(pinned.same).toBe(false)
  expect(places(pinned)).toEqual([
    [0, 1, 'system'],
    [1, 1, 'system'],
  ])
})
