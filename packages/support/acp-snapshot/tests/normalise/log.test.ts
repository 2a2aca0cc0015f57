import { describe, expect, it } from 'vitest'
import { createNormaliser } from '../../src/normalise/normaliser.ts'
import type { NormaliseOptions } from '../../src/normalise/types.ts'
import { header, jsonl } from '../temp.ts'

const S0 = '00000000-aaaa-4aaa-8aaa-000000000000'
const S1 = '11111111-aaaa-4aaa-8aaa-111111111111'
const U = '22222222-bbbb-4bbb-8bbb-222222222222'
const V = '33333333-bbbb-4bbb-8bbb-333333333333'

const options: NormaliseOptions = { sessionIds: [S0, S1], cwdAliases: ['/tmp/x', '/private/tmp/x'] }
const log = (text: string, more: Partial<NormaliseOptions> = {}, rank = 0) =>
  createNormaliser({ ...options, ...more }).log(text, rank)
const chunk = (chunk: object, more: object = {}) => ({
  type: 'assistant/chunk',
  seq: 0,
  time: 0,
  data: { turn: 1, step: 1, chunk },
  ...more,
})
const text = (piece: string, index = 0) => chunk({ type: 'text-delta', index, text: piece })
const reasoning = (piece: string) => chunk({ type: 'reasoning-delta', index: 0, text: piece })
const args = (piece: string, id = 'c') =>
  chunk({ type: 'tool-call-delta', index: 0, id, argumentsDelta: piece })
const event = (type: string) => ({ type, seq: 0, time: 0, data: { turn: 1 } })
const deltas = (...events: object[]): string[] =>
  log(jsonl(...events))
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { data } = JSON.parse(line) as { data: { chunk?: Record<string, string> } }
      return data.chunk?.['text'] ?? data.chunk?.['argumentsDelta'] ?? '-'
    })

it('normalises a header: rank, ids, cwd; nothing else', () => {
  const child = header(S1, {
    createdAt: 1783352166075,
    cwd: '/private/tmp/x',
    parentSession: S0,
    seedLength: 3,
    spawnedBy: { turn: 1, step: 1, call: 0, index: 0, callId: U },
    root: 0,
    extra: V,
  })
  expect(log(jsonl(child), {}, 4)).toBe(
    jsonl(
      header('{{session.1}}', {
        createdAt: 4,
        cwd: '{{cwd}}',
        parentSession: '{{session}}',
        seedLength: 3,
        spawnedBy: { turn: 1, step: 1, call: 0, index: 0, callId: U },
        root: 0,
        extra: '{{id.1}}',
      }),
    ),
  )
})

it('treats only the first line as the header', () => {
  const second = { type: 'session', createdAt: 12 }
  expect(log(jsonl(header(S0), second))).toBe(jsonl(header('{{session}}'), second))
  const first = { type: 'other', seq: 0, time: 5, createdAt: 12 }
  expect(log(jsonl(first), {}, 3)).toBe(jsonl({ ...first, time: 0 }))
})

it('keeps seq, zeroes times, replaces in keys and in raw arguments', () => {
  const call = {
    type: 'tool/call',
    seq: 9,
    time: 1783352166075,
    data: { callId: U, name: 'read', arguments: `{"p":"\\/tmp\\/x\\/a","id":"${V}"}` },
  }
  const meta = { type: 'x', seq: 10, time: 1, data: { '/tmp/x/a': 1, [V]: { durationMs: 3 } } }
  expect(log(jsonl(call, meta))).toBe(
    jsonl(
      {
        ...call,
        time: 0,
        data: { ...call.data, arguments: '{"p":"{{cwd}}\\/a","id":"{{id.1}}"}' },
      },
      { ...meta, time: 0, data: { '{{cwd}}/a': 1, '{{id.1}}': { durationMs: 0 } } },
    ),
  )
})

it('keeps unknown events, other values and the bytes of untouched lines', () => {
  const lines = [
    '{"type":"session", "id":"{{sessionId}}",  "createdAt":0,"cwd":"{{cwd}}"}',
    '{ "type":"odd/event","seq":0,"time":0,"data":{"n":1.0,"s":"\\u0041"} }',
    '[1,  2]',
    'null ',
    '"x"',
  ]
  expect(log(`${lines.join('\n')}\n`)).toBe(`${lines.join('\n')}\n`)
  expect(log(lines.join('\n'))).toBe(lines.join('\n'))
  expect(log('')).toBe('')
  expect(log(`"${U}"`)).toBe('"{{id.1}}"')
})

it('names a line that is no JSON', () => {
  expect(() => log('{}\nx\n')).toThrow(
    expect.objectContaining({ code: 'NOT_JSON', message: 'session log: line 2 is not JSON: "x"' }),
  )
})

it('scrubs request headers unless they are pinned, and paths in them then', () => {
  const request = (system: unknown, tools: unknown) => ({
    type: 'request/header',
    seq: 0,
    time: 0,
    data: { header: { config: { model: 'm' }, system, tools }, reason: 'initial' },
  })
  const live = jsonl(request('in /tmp/x', [{ name: 'a' }]))
  expect(log(live)).toBe(jsonl(request('{{system}}', '{{tools}}')))
  expect(log(live, { pinHeader: false })).toBe(jsonl(request('{{system}}', '{{tools}}')))
  expect(log(live, { pinHeader: true })).toBe(jsonl(request('in {{cwd}}', [{ name: 'a' }])))
})

describe('case R13: the header of a child that differs', () => {
  const line = (system: string) =>
    jsonl({ type: 'request/header', data: { header: { system, tools: [] }, reason: 'initial' } })
  const all = (options: Partial<NormaliseOptions>, ...systems: string[]) => {
    const logs = systems.map(line)
    const normaliser = createNormaliser({ sessionIds: [], cwdAliases: [], ...options })
    return logs.map((log, rank) => /system[.\d]*(?=\}\})/.exec(normaliser.log(log, rank))?.[0])
  }

  it('is another one in the log too', () => {
    expect(all({}, 'a', 'b', 'a')).toEqual(['system', 'system.1', 'system'])
  })

  it('counts after what is present anywhere, or as seen', () => {
    const outputs = [line('{{system.1}}')]
    expect(all({ outputs }, 'a', '{{system.1}}')).toEqual(['system.2', 'system.1'])
    expect(all({ outputs, numbering: 'as-seen' }, 'a', 'b')).toEqual(['system', 'system.1'])
  })

  it('takes no numbers for ids in it', () => {
    const log = line(`I am ${U}`) + jsonl({ type: 'x', data: V })
    expect(createNormaliser({ sessionIds: [], cwdAliases: [] }).log(log, 0)).toContain('{{id.1}}')
  })
})

describe('text cut by chunks', () => {
  it('puts the replacement where the match begins and keeps the number of chunks', () => {
    expect(deltas(text('in /t'), text('mp/'), text('x'), text('/a b'))).toEqual([
      'in {{cwd}}',
      '',
      '',
      '/a b',
    ])
    expect(deltas(reasoning('/tmp'), reasoning('/x'))).toEqual(['{{cwd}}', ''])
    expect(
      deltas(args('{"p":"\\/tm'), args('p\\/x\\n'), args(U.slice(0, 5)), args(`${U.slice(5)}"}`)),
    ).toEqual(['{"p":"{{cwd}}', '\\n', '{{id.1}}', '"}'])
  })

  it('looks at the joined text only', () => {
    expect(deltas(text('/tmp/x'), text('y'))).toEqual(['/tmp/x', 'y'])
    expect(deltas(text('/home'), text('/tmp/x'))).toEqual(['/home', '/tmp/x'])
  })

  it('replaces in the block-end too', () => {
    const end = (body: object) => chunk({ type: 'block-end', index: 0, block: body })
    const out = log(jsonl(text('/tm'), text('p/x'), end({ type: 'text', text: '/tmp/x' })))
    expect(out).toContain('"block":{"type":"text","text":"{{cwd}}"}')
  })

  it('keeps interleaved blocks apart', () => {
    expect(deltas(text('/tmp', 0), text('/var', 1), text('/x', 0), text('/x', 1))).toEqual([
      '{{cwd}}',
      '/var',
      '',
      '/x',
    ])
    expect(deltas(text('/tmp', 0), reasoning('/x'), text('/x', 0))).toEqual(['/tmp', '/x', '/x'])
  })

  it('does not mind call ids that vary within a block', () => {
    expect(deltas(args('/tmp', 'c'), args('/x', ''))).toEqual(['{{cwd}}', ''])
  })

  it.each<[string, object]>([
    ['a finish', chunk({ type: 'finish', reason: { kind: 'stop' } })],
    ['a new block', chunk({ type: 'block-start', index: 0, blockType: 'text' })],
    ['the end of the block', chunk({ type: 'block-end', index: 0, block: {} })],
    ...['turn/start', 'turn/end', 'step/start', 'step/end', 'assistant/message'].map(
      (type): [string, object] => [type, event(type)],
    ),
    ...['llm/failure', 'llm/retry', 'llm/retry-started'].map((type): [string, object] => [
      type,
      event(type),
    ]),
  ])('ends a text at %s', (_, between) => {
    expect(deltas(text('/tmp/x'), between, text('y'))).toEqual(['{{cwd}}', '-', 'y'])
  })

  it.each([
    ['the end of another block', chunk({ type: 'block-end', index: 1, block: {} })],
    ['usage', chunk({ type: 'usage', usage: {} })],
    ['a delta of another shape', chunk({ type: 'text-delta', index: 0, text: 3 })],
    ['another event', event('steering/message')],
    ['a line that is no object', 3],
    ['an event without data', { type: 'x', seq: 0, time: 0 }],
    ['a chunk without data', { type: 'assistant/chunk', seq: 0, time: 0 }],
    ['a row without data', { type: 'text-chunks', seq0: 0, time0: 0 }],
    ['an unknown chunk of another block', chunk({ type: 'x', index: 1 })],
    ['a chunk with a type that is none', chunk({ type: 3, index: 1 })],
    ['an event of another type that holds a chunk', { ...chunk({ type: 'finish' }), type: 'x' }],
    ['a chunk that is none', { ...event('assistant/chunk'), data: { chunk: 3 } }],
  ])('goes on past %s', (_, between) => {
    const out = log(jsonl(text('/tm'), between, text('p/x')))
    expect(out).toContain('{{cwd}}')
  })

  it('goes through packed rows and single chunks alike', () => {
    const row = (type: string, key: string, pieces: unknown[], more: object = {}) => ({
      type,
      seq0: 0,
      time0: 0,
      data: { turn: 1, step: 1, index: 0, dt: [0, 0], ...more, [key]: pieces },
    })
    const out = log(
      jsonl(
        text('see /'),
        row('text-chunks', 'texts', ['tm', 'p', '/x']),
        text('/a'),
        event('step/end'),
        row('reasoning-chunks', 'texts', [7, '/tmp', '/x']),
        event('step/end'),
        row('tool-call-chunks', 'args', ['/tmp', '/', 'x'], { id: U }),
      ),
    ).split('\n')
    expect(out[0]).toContain('"see {{cwd}}"')
    expect(out[1]).toContain('"texts":["","",""]')
    expect(out[2]).toContain('"text":"/a"')
    expect(out[4]).toContain('"texts":[7,"{{cwd}}",""]')
    expect(out[6]).toContain(`"id":"${U}","args":["{{cwd}}","",""]`)
  })

  it('leaves a row of another shape to the walk', () => {
    const odd = { type: 'text-chunks', data: { index: 0, texts: '/tmp/x' } }
    expect(log(jsonl(odd))).toBe(
      jsonl({ type: 'text-chunks', data: { index: 0, texts: '{{cwd}}' } }),
    )
  })

  it('keeps a row and a delta of other kinds apart', () => {
    const row = {
      type: 'text-chunks',
      data: { turn: 1, step: 1, index: 0, dt: [], texts: ['/tmp'] },
    }
    expect(log(jsonl(row, reasoning('/x')))).toBe(jsonl(row, reasoning('/x')))
  })
})

describe('case R13: ids keep their identity', () => {
  it('numbers by first sight, a cut id where it begins', () => {
    const out = log(jsonl(text(V.slice(0, 3)), event(U), text(V.slice(3)), text(` ${U} ${V}`)))
    expect(out.match(/\{\{id\.\d\}\}/g)).toEqual(['{{id.1}}', '{{id.2}}', '{{id.2}}', '{{id.1}}'])
  })

  it('shares one numbering over all outputs', () => {
    const normaliser = createNormaliser(options)
    expect(normaliser.stdout([`"${V}"`])).toEqual(['"{{id.1}}"'])
    expect(normaliser.log(`"${U} ${V} ${S1}"`, 0)).toBe('"{{id.2}} {{id.1}} {{session.1}}"')
    expect(normaliser.log(`"${U}"`, 1)).toBe('"{{id.2}}"')
  })

  it('keeps a call id in every place once it is known as one', () => {
    const call = { type: 'tool/call', seq: 1, time: 0, data: { callId: U } }
    const said = { type: 'x', seq: 0, time: 0, data: { text: `${U} ${V}` } }
    expect(log(jsonl(said, call))).toBe(jsonl({ ...said, data: { text: `${U} {{id.1}}` } }, call))
    const ahead = createNormaliser({ ...options, outputs: [`broken\n${jsonl(call)}`] })
    expect(ahead.stdout([`"${U} ${V}"`])).toEqual([`"${U} {{id.1}}"`])
  })

  it('starts after the highest token present, anywhere', () => {
    expect(log(`"${U}"\n"{{id.4}}"\n"{{id.2}}"\n`)).toBe('"{{id.5}}"\n"{{id.4}}"\n"{{id.2}}"\n')
    const outputs = ['"{{id.8}}"', '"{{session.2}}"']
    expect(log(`"${U} ${S0} ${S1}"`, { outputs })).toBe('"{{id.9}} {{session.3}} {{session.4}}"')
    expect(log(`"${U} {{id.3}}"`, { numbering: 'after-present' })).toBe('"{{id.4}} {{id.3}}"')
  })

  it('sees tokens that are cut', () => {
    const cut = jsonl(text(`${U} {{id.`), text('7}}'))
    expect(log(cut)).toContain('"{{id.8}} {{id."')
    expect(log(`"${U}"`, { outputs: [cut] })).toBe('"{{id.8}}"')
    const update = (said: string) => ({
      params: {
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: said } },
      },
    })
    const said = jsonl(update('{{id.'), update('8}}'))
    expect(log(`"${U}"`, { outputs: [said] })).toBe('"{{id.9}}"')
  })

  it('as seen, gives a fresh id the number of its predecessor', () => {
    const numbering = 'as-seen'
    expect(log(`"${U} {{id.1}} ${V}"`, { numbering })).toBe('"{{id.1}} {{id.1}} {{id.2}}"')
    expect(log(`"{{id.1}} ${V}"`, { numbering })).toBe('"{{id.1}} {{id.2}}"')
    const outputs = ['"{{id.8}} {{session.2}}"']
    expect(log(`"${U} ${S1}"`, { numbering, outputs })).toBe('"{{id.1}} {{session.1}}"')
  })

  it('keeps sessions that are tokens, and numbers the others after them', () => {
    const names = ['{{sessionId}}', S0, '{{session.4}}', S1]
    expect(log(`"${S0} ${S1} {{sessionId}}"`, { sessionIds: names })).toBe(
      '"{{session.5}} {{session.6}} {{sessionId}}"',
    )
    expect(log(`"${S0}"`, { sessionIds: ['{{sessionId}}', S0] })).toBe('"{{session.1}}"')
  })

  it('takes a recorded id for the live session in its place', () => {
    const recordedSessionIds = [U, '{{session.1}}', 'unused-id-1']
    expect(log(`"${U} ${S0} ${S1}"`, { recordedSessionIds })).toBe(
      '"{{session}} {{session}} {{session.1}}"',
    )
    const token = { sessionIds: ['{{session}}'], recordedSessionIds: ['recorded-0'] }
    expect(log('"recorded-0"', token)).toBe('"{{session}}"')
  })
})
