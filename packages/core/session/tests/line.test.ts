import { describe, expect, test } from 'vitest'
import {
  decodeRecordLine,
  parseEventLine,
  parseHeaderLine,
  SessionError,
  serializeEvent,
} from '../src/index.ts'
import { errorOf } from './support.ts'

const header = '{"type":"session","version":0,"id":"a","createdAt":0}'

describe('parseHeaderLine', () => {
  test('gives a frozen header', () => {
    const parsed = parseHeaderLine(header)
    expect(parsed).toEqual({ type: 'session', version: 0, id: 'a', createdAt: 0 })
    expect(Object.isFrozen(parsed)).toBe(true)
  })

  test('fills in a missing version where that is tolerated', () => {
    const line = '{"type":"session","id":"a","createdAt":0,"x":[1]}'
    const parsed = parseHeaderLine(line, { tolerant: true })
    expect(Object.entries(parsed)).toEqual([
      ['type', 'session'],
      ['version', 0],
      ['id', 'a'],
      ['createdAt', 0],
      ['x', [1]],
    ])
    expect(Object.isFrozen(parsed.x)).toBe(true)
    const error = errorOf(() => parseHeaderLine(line))
    expect(error).toMatchObject({
      code: 'CORRUPT_LOG',
      message: 'invalid session header at line 1: "version" is missing',
    })
  })

  test.each([
    ['1', '1'],
    ['null', 'null'],
    ['"0"', '"0"'],
    ['1e999', 'Infinity'],
  ])('refuses version %s, tolerant or not', (version, said) => {
    for (const tolerant of [false, true]) {
      const line = header.replace('"version":0', `"version":${version}`)
      expect(errorOf(() => parseHeaderLine(line, { tolerant }))).toMatchObject({
        code: 'UNSUPPORTED_VERSION',
        message: `unsupported session format version ${said} for "a" (only v0 is supported)`,
      })
    }
  })

  test.each([
    ['', /^invalid session header at line 1: not JSON \(/],
    ['[]', /^invalid session header at line 1: expected an object, not \[\]$/],
    ['null', /^invalid session header at line 1: expected an object, not null$/],
    ['5', /^invalid session header at line 1: expected an object, not 5$/],
    ['{"type":"x"}', /^invalid session header at line 1: "type" must be "session"$/],
  ])('refuses %j', (line, message) => {
    const error = errorOf(() => parseHeaderLine(line))
    expect(error).toBeInstanceOf(SessionError)
    expect(error).toMatchObject({
      code: 'CORRUPT_LOG',
      message: expect.stringMatching(message) as string,
    })
  })
})

describe('parseEventLine', () => {
  const line =
    '{"type":"user/message","seq":3,"time":7,"data":{"b":1,"a":[{}]},"sourceEventSeqs":[1],"surfaceOp":{"op":"replace","start":1,"end":2}}'

  test('gives a frozen event that serialises to the same bytes', () => {
    const event = parseEventLine(line, 2)
    expect(serializeEvent(event)).toBe(line)
    expect(Object.isFrozen(event)).toBe(true)
    expect(Object.isFrozen((event.data as { a: object[] }).a[0])).toBe(true)
  })

  test('keeps keys that the envelope does not know, and writes the canonical order', () => {
    const odd = '{"extra":{"z":1},"data":null,"time":0,"seq":0,"type":"x/y","more":2}'
    expect(serializeEvent(parseEventLine(odd, 2))).toBe(
      '{"type":"x/y","seq":0,"time":0,"data":null,"extra":{"z":1},"more":2}',
    )
  })

  test.each([
    '{"type":"x","later":1,"seq":0,"time":0,"data":0}',
    '{"a":1,"type":"x","seq":0,"b":2,"time":0,"c":{},"data":0,"d":[]}',
  ])('gives %s its bytes back', (text) => {
    expect(serializeEvent(parseEventLine(text, 2))).toBe(text)
  })

  test.each([
    ['{', /not JSON/],
    ['[1]', /expected an object, not \[1\]/],
    ['{"type":"x","time":0,"data":0}', /"seq" must be a non-negative integer/],
    ['{"type":"x","seq":-1,"time":0,"data":0}', /"seq" must be/],
    ['{"type":"x","seq":0,"data":0}', /"time" must be epoch milliseconds/],
    ['{"type":"x","seq":0,"time":1.5,"data":0}', /"time" must be/],
    ['{"type":"x","seq":0,"time":0}', /"data" is missing/],
    ['{"seq":0,"time":0,"data":0}', /"type" must be/],
    ['{"type":"user/message","seq":0,"time":0,"data":0}', /"surfaceOp" is required/],
    ['{"type":"text-chunks","seq0":0,"time0":0,"data":{}}', /"type" must not be/],
  ])('refuses %s with the line', (text, why) => {
    const error = errorOf(() => parseEventLine(text, 41)) as SessionError
    expect(error.code).toBe('CORRUPT_LOG')
    expect(error.message).toMatch(/^invalid session event at line 41: /)
    expect(error.message).toMatch(why)
    expect(error.cause).toMatchObject({ message: expect.stringMatching(why) as string })
  })

  test('a surface event without operation passes where that is tolerated', () => {
    const text = '{"type":"user/message","seq":0,"time":0,"data":0}'
    expect(parseEventLine(text, 2, { tolerant: true }).type).toBe('user/message')
    expect(decodeRecordLine(text, 2, { tolerant: true })).toHaveLength(1)
  })
})
