import type { SessionEvent, SessionHeader } from 'dsh-session'
import { describe, expect, test } from 'vitest'
import { LineReader } from '../src/lines.ts'
import { LogScanner } from '../src/scan.ts'

const header = '{"type":"session","version":0,"id":"a","createdAt":0}'
const row = (seq: number, type = 'x'): string =>
  `{"type":"${type}","seq":${seq},"time":0,"data":{"turn":1}}`

interface Scanned {
  readonly scanner: LogScanner
  readonly header: SessionHeader
  readonly events: readonly SessionEvent[]
  readonly validSize: number
}

function scan(...lines: (string | Uint8Array)[]): Scanned {
  const events: SessionEvent[] = []
  const scanner = new LogScanner('/log', { keep: (more) => events.push(...more) })
  const splitter = new LineReader()
  for (const line of lines) {
    const bytes = Buffer.concat([Buffer.from(line), Buffer.from('\n')])
    for (const each of splitter.push(bytes)) scanner.line(each)
  }
  const { header, validSize } = scanner
  return { scanner, header, events, validSize }
}

const sizeOf = (...lines: string[]): number => lines.join('\n').length + 1
const corrupt = (message: string) => expect.objectContaining({ code: 'CORRUPT_LOG', message })

describe('LogScanner', () => {
  test('keeps valid events and the size of their lines', () => {
    const scanner = scan(header, row(0), row(1))
    expect(scanner.header.id).toBe('a')
    expect(scanner.events.map((event) => event.seq)).toEqual([0, 1])
    expect(scanner.validSize).toBe(sizeOf(header, row(0), row(1)))
  })

  test.each<[string, string | Uint8Array]>([
    ['a bad row', '{"type":'],
    ['an empty line', ''],
    ['a gap', row(9)],
    ['a repeated seq', row(1)],
    ['bytes that are not UTF-8', Buffer.from([0xff])],
    ['a bad envelope', '{"type":"user/message","seq":2,"time":0,"data":{}}'],
  ])('stops at %s behind the last turn/end', (_, bad) => {
    const valid = [header, row(0, 'turn/end'), row(1)]
    const scanner = scan(...valid, bad, row(2), '{"turn/end"', '"turn/end"')
    expect(scanner.events).toHaveLength(2)
    expect(scanner.validSize).toBe(sizeOf(...valid))
  })

  test.each<[string, string | Uint8Array, string]>([
    ['a bad row', '[]', 'unparsable committed event at line 3 (expected an object, not [])'],
    ['not UTF-8', Buffer.from([0xff]), 'unparsable committed event at line 3 (not UTF-8)'],
    ['a gap', row(5), 'seq gap in committed region at line 3 (expected 1, got 5)'],
    ['a repeated seq', row(0), 'seq gap in committed region at line 3 (expected 1, got 0)'],
  ])('case R15: %s before a turn/end is damage', (_, bad, message) => {
    const run = (): unknown => scan(header, row(0), bad, row(1), row(2, 'turn/end'))
    expect(run).toThrow(corrupt(`corrupt session log: ${message} in /log`))
  })

  const packed = (seq0: number): string =>
    `{"type":"text-chunks","seq0":${seq0},"time0":0,"data":{"turn":1,"step":1,"index":0,"dt":[1,1],"texts":["a","b","c"]}}`

  test('plain lines and packed rows are one log', () => {
    const lines = [header, row(0), packed(1), row(4), packed(5), row(8, 'turn/end')]
    const { events, validSize, scanner } = scan(...lines)
    expect(events.map((event) => event.seq)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    expect(events[2]).toEqual({
      type: 'assistant/chunk',
      seq: 2,
      time: 1,
      data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text: 'b' } },
    })
    expect(validSize).toBe(sizeOf(...lines))
    expect(scanner.damage).toBeUndefined()
  })

  test.each([
    [
      'that does not follow',
      packed(2),
      /^corrupt session log: seq gap in committed region at line 3 \(expected 1, got 2\) in \/log$/,
    ],
    ['that overlaps', packed(0), /line 3 \(expected 1, got 0\)/],
    [
      'that is malformed',
      packed(1).replace(',1]', ']'),
      /unparsable committed event at line 3 \(malformed text-chunks storage row: dt length 1 does not match 3 members\)/,
    ],
    ['that is half valid', packed(1).replace('"c"', '3'), /row: texts\[2\] is 3/],
  ])('a row %s is dropped whole, or damage', (_, bad, message) => {
    const { events, validSize, scanner } = scan(header, row(0, 'turn/end'), bad, row(1))
    expect(events).toHaveLength(1)
    expect(validSize).toBe(sizeOf(header, row(0, 'turn/end')))
    expect(scanner.damage?.message).toMatch(message)
    expect(() => scan(header, row(0), bad, row(9, 'turn/end'))).toThrow(message)
  })

  test('the projected form is read where it is asked for', () => {
    const bare = '{"type":"turn/end","data":{}}'
    expect(() => scan(header, bare, row(1, 'turn/end'))).toThrow(
      /line 2 \(the line lacks "seq" and "time"; .* can be replayed, but not gone on with\)/,
    )
    const scanner = new LogScanner('/log', { keep: () => undefined, projected: true })
    scanner.line({ text: header, number: 1, end: 1 })
    scanner.line({ text: bare, number: 2, end: 9 })
    expect([scanner.reader.next, scanner.reader.projected, scanner.validSize]).toEqual([1, true, 9])
  })

  test('a turn/end that is itself out of place proves what lies before it', () => {
    expect(() => scan(header, row(0), '', row(7, 'turn/end'))).toThrow(/line 3/)
    expect(scan(header, row(0), row(7, 'turn/end')).events).toHaveLength(1)
  })

  test('nothing but a turn/end proves what lies before it: neither its name in a text nor no text', () => {
    const said = '{"type":"x","seq":1,"time":0,"data":"turn/end"}'
    const { events, scanner } = scan(header, row(0), '', said, Buffer.from([0xff]), row(2))
    expect(events).toHaveLength(1)
    expect(scanner.damage?.message).toMatch(/line 3/)
  })

  test('the first damage is the one that is told', () => {
    expect(() => scan(header, '', row(7), row(8, 'turn/end'))).toThrow(/unparsable .* line 2 /)
  })

  test('gives the cause along', () => {
    expect(() => scan(header, '', row(0, 'turn/end'))).toThrow(
      expect.objectContaining({
        cause: expect.objectContaining({ code: 'CORRUPT_LOG' }) as unknown,
      }),
    )
  })

  test('refuses a bad header', () => {
    expect(() => scan('{}')).toThrow(
      corrupt(
        'corrupt session log: invalid session header at line 1: "type" must be "session" in /log',
      ),
    )
    expect(() => scan(Buffer.from([0xff]))).toThrow(/not UTF-8/)
    expect(() => scan('{"type":"session","id":"a","createdAt":0}')).toThrow(/"version" is missing/)
  })

  test('refuses another version in the words of the format', () => {
    expect(() => scan(header.replace('"version":0', '"version":1'))).toThrow(
      expect.objectContaining({
        code: 'UNSUPPORTED_VERSION',
        message: 'unsupported session format version 1 for "a" (only v0 is supported)',
      }),
    )
  })

  test('without a complete header there is no log', () => {
    expect(() => new LogScanner('/log', { keep: () => undefined }).header).toThrow(
      corrupt('corrupt session log: it has no complete header line in /log'),
    )
  })
})
