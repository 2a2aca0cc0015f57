import { describe, expect, test } from 'vitest'
import { parseLogText } from '../src/index.ts'
import { errorOf } from './support.ts'

const header = '{"type":"session","version":0,"id":"a","createdAt":0}'
const line = (seq: number): string => `{"type":"x","seq":${seq},"time":0,"data":null}`

describe('parseLogText', () => {
  test.each(['', '\n'])('reads all lines, the last one with %j after it', (end) => {
    const log = parseLogText([header, line(0), line(1)].join('\n') + end)
    expect(log.header.id).toBe('a')
    expect(log.events.map((event) => event.seq)).toEqual([0, 1])
  })

  test('reads a log that has only a header', () => {
    expect(parseLogText(`${header}\n`).events).toEqual([])
  })

  test.each<[string, string]>([
    ['', 'the session log is empty'],
    [`${header}\n\n${line(0)}\n`, 'invalid session event at line 2: not JSON'],
    [`${header}\n${line(0)}\n{"type":"x"`, 'invalid session event at line 3: not JSON'],
    [`${header}\n${line(0)}\n${line(2)}\n`, 'seq gap at line 3 (expected 1, got 2)'],
    [`${header}\n${line(1)}\n`, 'seq gap at line 2 (expected 0, got 1)'],
  ])('case R9: refuses %j as a whole', (text, message) => {
    expect(errorOf(() => parseLogText(text))).toMatchObject({
      code: 'CORRUPT_LOG',
      message: expect.stringContaining(message) as string,
    })
  })

  test('tolerates gaps and a missing version where asked to, but no damage', () => {
    const old = '{"type":"session","id":"a","createdAt":0}'
    const log = parseLogText(`${old}\n${line(5)}\n${line(3)}\n`, { tolerant: true })
    expect(log.events.map((event) => event.seq)).toEqual([5, 3])
    expect(() => parseLogText(`${old}\n{}\n`, { tolerant: true })).toThrow(/line 2/)
  })
})
