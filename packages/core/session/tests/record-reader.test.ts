import { describe, expect, test } from 'vitest'
import { RecordReader, type RecordReaderOptions, SeqGapError, SessionError } from '../src/index.ts'
import { errorOf } from './support.ts'

const event = (seq: number): string => `{"type":"x","seq":${seq},"time":${seq},"data":1}`
const row = (seq0: number, time0 = 9): string =>
  `{"type":"text-chunks","seq0":${seq0},"time0":${time0},"data":{"turn":1,"step":1,"index":0,"dt":[1,-1],"texts":["a","b","c"]}}`
const bare = '{"type":"x","data":1}'
const bareRow =
  '{"type":"text-chunks","data":{"turn":1,"step":1,"index":0,"dt":[3,4],"texts":["a","b","c"]}}'

function read(lines: readonly string[], options?: RecordReaderOptions): [string, number, number][] {
  const reader = new RecordReader(options)
  return lines.flatMap((line) =>
    reader.read(line).map(({ type, seq, time }): [string, number, number] => [type, seq, time]),
  )
}

describe('RecordReader', () => {
  test('counts events over rows and plain lines alike', () => {
    const reader = new RecordReader()
    expect([reader.next, reader.rows, reader.projected]).toEqual([0, 0, false])
    expect(reader.read(event(0))).toHaveLength(1)
    expect(reader.read(row(1)).map(({ seq, time }) => [seq, time])).toEqual([
      [1, 9],
      [2, 10],
      [3, 9],
    ])
    expect([reader.next, reader.rows, reader.projected]).toEqual([4, 1, false])
    expect(reader.read(event(4)).every((each) => Object.isFrozen(each))).toBe(true)
  })

  test('restores the projected form: a running count, times 0, gaps kept', () => {
    expect(read([bare, bareRow, bare])).toEqual([
      ['x', 0, 0],
      ['assistant/chunk', 1, 0],
      ['assistant/chunk', 2, 3],
      ['assistant/chunk', 3, 7],
      ['x', 4, 0],
    ])
    const reader = new RecordReader()
    reader.read(bareRow)
    expect([reader.next, reader.rows, reader.projected]).toEqual([3, 1, true])
    const [restored] = new RecordReader().read(
      '{"type":"user/message","data":{},"surfaceOp":"append"}',
    )
    expect(JSON.stringify(restored)).toBe(
      '{"type":"user/message","seq":0,"time":0,"data":{},"surfaceOp":"append"}',
    )
  })

  test.each([
    [event(0), bare, 'lacks'],
    [event(0), bareRow, 'lacks'],
    [bare, event(1), 'has'],
    [bareRow, row(3), 'has'],
  ])('refuses a log in two forms: %s, then %s', (first, second, word) => {
    const reader = new RecordReader()
    reader.read(first)
    expect(errorOf(() => reader.read(second))).toMatchObject({
      code: 'CORRUPT_LOG',
      message: `a log has "seq" and "time" on every line or on none; this line ${word} them`,
    })
  })

  test('refuses the projected form where the log has to be complete', () => {
    for (const line of [bare, bareRow]) {
      expect(errorOf(() => read([line], { complete: true }))).toMatchObject({
        code: 'CORRUPT_LOG',
        message:
          'the line lacks "seq" and "time"; a log in the projected form can be replayed, but not gone on with',
      })
    }
    expect(read([event(0), row(1)], { complete: true })).toHaveLength(4)
  })

  test.each([
    [[event(1)], 0, 1],
    [[event(0), event(0)], 1, 0],
    [[event(0), event(2)], 1, 2],
    [[row(1)], 0, 1],
    [[row(0), row(2)], 3, 2],
    [[row(0), event(1)], 3, 1],
  ])('refuses what does not follow: %j', (lines, expected, got) => {
    const error = errorOf(() => read(lines))
    expect(error).toBeInstanceOf(SeqGapError)
    expect(error).toMatchObject({
      code: 'CORRUPT_LOG',
      expected,
      got,
      message: `seq gap (expected ${expected}, got ${got})`,
    })
  })

  test('where gaps are tolerated, only the count is kept', () => {
    expect(read([event(5), row(1)], { tolerant: true }).map(([, seq]) => seq)).toEqual([5, 1, 2, 3])
  })

  test.each<[string, string]>([
    [
      '{"type":"x","seq":0,"data":1}',
      '"time" must be epoch milliseconds, a safe integer, not undefined',
    ],
    ['{"type":"x","time":0,"data":1}', '"seq" must be a non-negative integer, not undefined'],
    [
      '{"type":"x","seq":0,"time":-0,"data":1}',
      '"time" must be epoch milliseconds, a safe integer, not -0',
    ],
    [
      '{"type":"text-chunks","seq0":0,"data":{}}',
      'malformed text-chunks storage row: keys are ["type","seq0","data"]',
    ],
    [
      '{"type":"text-chunks","time0":0,"data":{}}',
      'malformed text-chunks storage row: keys are ["type","time0","data"]',
    ],
    [row(0).replace('[1,', '[0.5,'), '"time" must be epoch milliseconds, a safe integer, not 9.5'],
    ['x', 'not JSON ('],
    ['[]', 'expected an object, not []'],
  ])('says what is wrong with %s, and goes on as if it had not come', (line, why) => {
    const reader = new RecordReader()
    reader.read(row(0))
    const error = errorOf(() => reader.read(line))
    expect(error).toBeInstanceOf(SessionError)
    expect(error).toMatchObject({
      code: 'CORRUPT_LOG',
      message: expect.stringContaining(why) as string,
    })
    expect(reader.read(event(3))).toHaveLength(1)
  })

  test('a failed first line does not decide the form', () => {
    const reader = new RecordReader()
    expect(() => reader.read('{"type":""}')).toThrow('"type" must be a non-empty string, not ""')
    expect(reader.read(event(0))).toHaveLength(1)
  })

  test('a clock before 1970 is a clock', () => {
    expect(
      read(['{"type":"x","seq":0,"time":-5,"data":1}', row(1, -9)]).map(([, , time]) => time),
    ).toEqual([-5, -9, -8, -9])
  })
})
