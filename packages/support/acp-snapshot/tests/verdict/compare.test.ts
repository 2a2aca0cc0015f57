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
  const text = JSON.stringify(event('turn/end', 1))
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
