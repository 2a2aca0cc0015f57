import { describe, expect, test } from 'vitest'
import { LineSplitter } from '../src/lines.ts'
import { LogScanner } from '../src/scan.ts'

const header = '{"type":"session","version":0,"id":"a","createdAt":0}'
const row = (seq: number, type = 'x'): string =>
  `{"type":"${type}","seq":${seq},"time":0,"data":{"turn":1}}`

function scan(...lines: (string | Uint8Array)[]): LogScanner {
  const scanner = new LogScanner('/log')
  const splitter = new LineSplitter()
  for (const line of lines) {
    const bytes = Buffer.concat([Buffer.from(line), Buffer.from('\n')])
    for (const each of splitter.push(bytes)) scanner.line(each)
  }
  return scanner
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

  test('a turn/end that is itself out of place proves what lies before it', () => {
    expect(() => scan(header, row(0), '', row(7, 'turn/end'))).toThrow(/line 3/)
    expect(scan(header, row(0), row(7, 'turn/end')).events).toHaveLength(1)
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
    expect(() => new LogScanner('/log').header).toThrow(
      corrupt('corrupt session log: it has no complete header line in /log'),
    )
  })
})
