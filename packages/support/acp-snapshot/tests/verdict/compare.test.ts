import { expect, it } from 'vitest'
import { compareLogs, compareStdout, compareText } from '../../src/verdict/compare.ts'
import { header, jsonl } from '../temp.ts'

const log = (name: string, ...values: unknown[]) => ({ name, text: jsonl(...values) })
const event = (type: string, seq: number, data: object = {}) => ({ type, seq, time: 0, data })
const chunk = (seq: number, chunk: object) =>
  event('assistant/chunk', seq, { turn: 1, step: 1, chunk })
const delta = (seq: number, text = 'x') => chunk(seq, { type: 'text-delta', index: 0, text })
const finish = (seq: number) => chunk(seq, { type: 'finish', reason: { kind: 'stop' } })
const start = event('turn/start', 0)
const p = header('{{session}}')

it('finds no difference in equal logs, whatever their layout', () => {
  const packed = {
    type: 'text-chunks',
    seq0: 1,
    time0: 0,
    data: { turn: 1, step: 1, index: 0, dt: [0, 0], texts: ['x', 'x', 'x'] },
  }
  const projected = [
    { type: 'turn/start', data: {} },
    { type: 'end', data: {} },
  ]
  expect(
    compareLogs(
      [log('a', p, start, packed), log('b', p, ...projected)],
      [log('x', p, start, delta(1), delta(2), delta(3)), log('y', p, start, event('end', 1))],
    ),
  ).toEqual([])
  expect(compareLogs([], [])).toEqual([])
})

it('names the first difference: line, path, values, type and call', () => {
  const own = [start, delta(1), finish(2), delta(3), delta(4), finish(5)]
  const other = own.with(4, delta(4, 'y'))
  expect(compareLogs([log('session.jsonl', p, ...own)], [log('x', p, ...other)])).toEqual([
    {
      kind: 'log-differs',
      file: 'session.jsonl',
      difference: {
        line: 6,
        path: 'data.chunk.text',
        expected: '"x"',
        actual: '"y"',
        eventType: 'assistant/chunk',
        turn: 1,
        step: 1,
        call: 2,
      },
    },
  ])
})

it('counts the calls of the session itself, by finish and by step', () => {
  const seed = header('c', { seedLength: 2 })
  const step = (seq: number) => event('step/start', seq)
  const lines = [
    delta(0),
    finish(1),
    step(2),
    delta(3),
    event('other', 4),
    delta(5),
    step(6),
    delta(7),
  ]
  const callAt = (index: number) => {
    const changed = lines.with(index, event('changed', index))
    const [finding] = compareLogs([log('s', seed, ...lines)], [log('x', seed, ...changed)])
    return finding?.kind === 'log-differs' ? finding.difference.call : 'none'
  }
  expect(lines.map((_, index) => callAt(index))).toEqual([
    undefined,
    undefined,
    undefined,
    1,
    1,
    1,
    1,
    2,
  ])
})

it('says what is missing at the end, and what is too much', () => {
  const [short, long] = [log('s', p, start), log('s', p, start, event('turn/end', 1))]
  const difference = { line: 3, path: '', eventType: 'turn/end' }
  const text = JSON.stringify({ type: 'turn/end', data: {} })
  expect(compareLogs([long], [short])).toEqual([
    {
      kind: 'log-differs',
      file: 's',
      difference: { ...difference, expected: text, actual: undefined },
    },
  ])
  expect(compareLogs([short], [long])).toEqual([
    {
      kind: 'log-differs',
      file: 's',
      difference: { ...difference, expected: undefined, actual: text },
    },
  ])
})

it('compares headers, but not those of logs without events', () => {
  const other = header('{{session}}', { root: 0 })
  expect(compareLogs([log('s', p, start)], [log('x', other, start)])).toEqual([
    {
      kind: 'log-differs',
      file: 's',
      difference: { line: 1, path: 'root', expected: undefined, actual: '0', eventType: 'session' },
    },
  ])
  expect(compareLogs([log('s', p)], [log('x', other)])).toEqual([])
})

it('case R9: names logs that are missing or too many', () => {
  const [a, b] = [log('session.jsonl', p, start), log('session.1.jsonl', p, start)]
  expect(compareLogs([a, b], [a])).toEqual([{ kind: 'log-missing', file: 'session.1.jsonl' }])
  expect(compareLogs([a], [a, { ...b, name: 'p/s' }, { ...b, name: 'p/t' }])).toEqual([
    { kind: 'log-extra', session: '{{session.1}}', path: 'p/s' },
    { kind: 'log-extra', session: '{{session.2}}', path: 'p/t' },
  ])
  expect(compareLogs([], [a])).toEqual([
    { kind: 'log-extra', session: '{{session}}', path: 'session.jsonl' },
  ])
})

it('takes a header-only recording for a run that left no log', () => {
  const [empty, full] = [log('e', p), log('f', p, start)]
  expect(compareLogs([empty], [])).toEqual([])
  expect(compareLogs([{ name: 'e', text: '' }], [])).toEqual([])
  expect(compareLogs([empty, full], [full])).toEqual([])
  expect(compareLogs([full, empty], [full])).toEqual([])
  expect(compareLogs([empty, full], [empty, full])).toEqual([])
  expect(compareLogs([empty], [full])).toEqual([
    expect.objectContaining({ kind: 'log-differs', file: 'e' }),
  ])
  expect(compareLogs([full, empty], [full, { ...full, name: 'x' }])).toEqual([
    expect.objectContaining({ kind: 'log-differs', file: 'e' }),
  ])
  expect(compareLogs([full], [empty])).toEqual([
    expect.objectContaining({ kind: 'log-differs', file: 'f' }),
  ])
})

it('takes {{sessionId}} for the session of the log, and elsewhere for the primary', () => {
  const said = (id: string) => event('x', 0, { id })
  const expected = [
    log('s', header('{{sessionId}}'), said('{{sessionId}}')),
    log('s1', header('{{sessionId}}', { parentSession: '{{sessionId}}' }), said('{{sessionId}}')),
  ]
  const actual = [
    log('x', header('{{session}}'), said('{{session}}')),
    log('y', header('{{session.1}}', { parentSession: '{{session}}' }), said('{{session}}')),
  ]
  expect(compareLogs(expected, actual)).toEqual([])
  const swapped = [log('x', header('{{session.1}}'), said('{{session}}'))]
  expect(compareLogs(expected.slice(0, 1), swapped)).toHaveLength(1)
})

it('compares by what a view shows', () => {
  const types = ({ value }: { value: Readonly<Record<string, unknown>> }) => value['type']
  const [a, b] = [log('s', p, event('x', 0)), log('s', p, event('x', 9))]
  expect(compareLogs([a], [b], types)).toEqual([])
  expect(compareLogs([a], [log('s', p, event('y', 0))], types)).toEqual([
    expect.objectContaining({ difference: expect.objectContaining({ path: '', line: 2 }) }),
  ])
})

it('compares transcripts line by line', () => {
  expect(compareStdout('{"a":1}\n{"b":2}\n', ['{ "a":1}', '{"b":2}'])).toBeUndefined()
  expect(compareStdout('', [])).toBeUndefined()
  expect(compareStdout('{"a":1}\n{"b":{"c":2}}\n', ['{"a":1}', '{"b":{"c":3}}'])).toStrictEqual({
    line: 2,
    path: 'b.c',
    expected: '2',
    actual: '3',
  })
  expect(compareStdout('', ['{"type":"session"}'])).toEqual({
    line: 1,
    path: '',
    expected: undefined,
    actual: '{"type":"session"}',
  })
})

it('compares readable texts line by line', () => {
  expect(compareText('a\nb\n', 'a\nb\n')).toBeUndefined()
  expect(compareText('a\nb\n', 'a\nc\n')).toEqual({
    line: 2,
    path: '',
    expected: '"b"',
    actual: '"c"',
  })
})

const tool = (seq: number, type: string, callId: string, data: object = {}) =>
  event(type, seq, { turn: 1, step: 2, callId, ...data })
const differenceOf = (expected: unknown[], actual: unknown[]) => {
  const [finding] = compareLogs([log('s', p, ...expected)], [log('x', p, ...actual)])
  return finding?.kind === 'log-differs' ? finding.difference : undefined
}

it('names the tool of a call and of its result', () => {
  const calls = [
    tool(0, 'tool/call', 'a', { name: 'bash', arguments: '1' }),
    tool(1, 'tool/call', 'b', { name: 'read' }),
    event('tool/call', 2, []),
  ]
  const results = [tool(3, 'tool/result', 'a', { content: 1 }), tool(4, 'tool/result', 'x')]
  const log1 = [...calls, ...results]
  const at = (index: number, data: object) => {
    return differenceOf(
      log1,
      log1.map((each, place) => (place === index ? { ...each, data } : each)),
    )
  }
  expect(at(0, { name: 'bash' })?.tool).toBe('bash')
  expect(at(2, { name: 'bash' })?.tool).toBeUndefined()
  expect(at(3, {})).toMatchObject({ tool: 'bash', turn: 1, step: 2, eventType: 'tool/result' })
  expect(at(4, {})?.tool).toBeUndefined()
})

it('counts a call that failed, also before its first chunk', () => {
  const failure = (seq: number) => event('llm/failure', seq)
  const lines = [failure(0), delta(1), failure(2), delta(3), event('x', 4)]
  const calls = lines.map((line, index) => {
    return differenceOf(lines, lines.with(index, { ...line, data: { other: 1 } }))?.call
  })
  expect(calls).toEqual([1, 2, 2, 3, 3])
})

it('shows whole events where their types differ, without what counts them', () => {
  expect(differenceOf([start, event('a', 1, { n: 1 })], [start, event('b', 1, { n: 1 })])).toEqual({
    line: 3,
    path: '',
    expected: '{"type":"a","data":{"n":1}}',
    actual: '{"type":"b","data":{"n":1}}',
    eventType: 'a',
  })
  expect(differenceOf([start], [event('turn/start', 5)])).toMatchObject({ path: 'seq' })
})

it('tells an event too many, and one that is left out, from one that is another', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((text) => ({ type: 'x', data: { text } }))
  const numbered = (...events: object[]) =>
    events.map((each, seq) => ({ ...each, seq, time: 0, sourceEventSeqs: [seq] }))
  const shift = (expected: object[], actual: object[]) =>
    differenceOf(numbered(...expected), numbered(...actual)) as object
  expect(shift([a as object, c as object], [a, b, c] as object[])).toMatchObject({
    line: 3,
    path: '',
    shift: 'extra',
    expected: '{"type":"x","data":{"text":"c"}}',
    actual: '{"type":"x","data":{"text":"b"}}',
  })
  expect(shift([a, b, c] as object[], [a, c] as object[])).toMatchObject({ shift: 'missing' })
  expect(shift([a, b] as object[], [a, c] as object[])).not.toHaveProperty('shift')
  expect(shift([b, c] as object[], [c, b] as object[])).not.toHaveProperty('shift')
  expect(shift([a] as object[], [a, b] as object[])).not.toHaveProperty('shift')
  const moved = [event('x', 1), event('x', 1)]
  expect(differenceOf([event('x', 0), event('y', 1)], moved)).not.toHaveProperty('shift')
})

it('tells messages of the protocol apart by what they are', () => {
  const update = (sessionUpdate: string, text: string) =>
    JSON.stringify({ method: 'session/update', params: { update: { sessionUpdate, text } } })
  const result = '{"id":1,"result":{}}'
  expect(compareStdout(`${update('a', 'x')}\n`, [update('a', 'y')])?.path).toBe(
    'params.update.text',
  )
  expect(compareStdout(`${update('a', 'x')}\n`, [update('b', 'x')])?.path).toBe('')
  expect(compareStdout(`${update('a', 'x')}\n`, [result])?.path).toBe('')
  expect(compareStdout('{"id":1}\n', [result])?.path).toBe('')
  expect(compareStdout('{"method":"a"}\n', ['{"method":"a","params":{}}'])?.path).toBe('params')
  expect(compareStdout('[1]\n', ['[2]'])?.path).toBe('[0]')
})

const child = (id: string, call: number, rank: number) =>
  header(id, {
    createdAt: rank,
    parentSession: '{{session}}',
    spawnedBy: { turn: 1, step: 1, call, index: 0 },
  })
const root = header('{{session}}', { root: 0 })
const asked = (text: string) => event('user/message', 0, { content: [{ type: 'text', text }] })
const family = [
  log('session.jsonl', root, start),
  log('session.1.jsonl', child('{{session.1}}', 0, 1), asked('one')),
  log('session.2.jsonl', child('{{session.2}}', 1, 2), asked('two')),
]

it('pairs logs by the places of their sessions where their number differs', () => {
  const late = log('p/b', child('{{session.1}}', 1, 1), asked('two'))
  expect(compareLogs(family, [log('p/a', root, start), late])).toEqual([
    { kind: 'log-missing', file: 'session.1.jsonl' },
  ])
  const between = [
    log('p/a', root, start, event('names', 1, { id: '{{session.1}} {{session.2}} {{session.9}}' })),
    log('p/x', header('{{session.1}}', { root: 1 }), asked('who?')),
    log('p/b', child('{{session.2}}', 0, 2), asked('one')),
    log('p/c', child('{{session.3}}', 1, 3), asked('two')),
  ]
  expect(compareLogs(family, between)).toEqual([
    {
      kind: 'log-differs',
      file: 'session.jsonl',
      difference: {
        line: 3,
        path: '',
        expected: undefined,
        actual:
          '{"type":"names","data":{"id":"{{session not recorded}} {{session.1}} {{session.9}}"}}',
        eventType: 'names',
      },
    },
    { kind: 'log-extra', session: '{{session.1}}', path: 'p/x', asked: 'who?' },
  ])
})

it('takes the order where places do not tell all sessions apart', () => {
  const twice = [family[0], family[1], { ...family[1], name: 'again' }] as typeof family
  expect(compareLogs(twice, twice.slice(0, 2))).toEqual([{ kind: 'log-missing', file: 'again' }])
  const unknown = [log('s', p, start), log('s1', header('{{session.1}}'), asked('x'))]
  expect(compareLogs(unknown, unknown.slice(0, 1))).toEqual([{ kind: 'log-missing', file: 's1' }])
})

it('says who a session is that has a log too many', () => {
  const extra = (own: unknown, ...events: object[]) =>
    compareLogs([log('s', p, start)], [log('s', p, start), log('x', own, ...events)])[0]
  const parent = { parentSession: '{{session}}' }
  expect(extra(child('{{session.1}}', 2, 1), asked('Hm?'))).toEqual({
    kind: 'log-extra',
    session: '{{session.1}}',
    path: 'x',
    startedBy: '{{session}} in turn 1, step 1, call 2, as its child 0',
    asked: 'Hm?',
  })
  const plugin = { turn: 1, step: 2, plugin: 'cron', index: 3 }
  expect(extra(header('c', { ...parent, spawnedBy: plugin }))).toMatchObject({
    startedBy: '{{session}} in turn 1, step 2, plugin cron, as its child 3',
  })
  const seeded = header('c', { ...parent, seedLength: 1 })
  expect(extra(seeded, asked('old'), asked('own'))).toMatchObject({
    startedBy: '{{session}}',
    asked: 'own',
  })
  expect(extra(header('c'), event('user/message', 0, []))).not.toHaveProperty('asked')
  expect(extra(header('c'), event('user/message', 0, { content: 1 }))).not.toHaveProperty('asked')
  expect(
    extra(header('c'), event('user/message', 0, { content: [1, { type: 'image' }] })),
  ).not.toHaveProperty('asked')
})
