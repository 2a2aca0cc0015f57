import { brandString } from 'dsh-brand'
import { describe, expect, test, vi } from 'vitest'
import { buildHeaders } from '../src/headers.ts'

const key = { apiKey: 'sk-1', sessionHeader: undefined }
const sessionId = brandString<'SessionId'>('s-1')
const plain = {
  authorization: 'Bearer sk-1',
  'content-type': 'application/json',
  accept: 'text/event-stream',
}

describe('the key', () => {
  test('goes into the authorization header', () => {
    expect(buildHeaders(key, {}, () => undefined)).toEqual(plain)
  })

  test('is needed', () => {
    expect(() => buildHeaders({ ...key, apiKey: undefined }, {}, () => undefined)).toThrow(
      expect.objectContaining({
        code: 'AUTH',
        message: 'no API key; set $DEEPSEEK_API_KEY, or apiKey in the configuration',
      }),
    )
  })

  test.each(['sk 1', 'sk\n1', 'sk-ключ', 'sk\u00001'])(
    'must fit into a header; %j is refused and not quoted',
    (apiKey) => {
      const build = () => buildHeaders({ ...key, apiKey }, {}, () => undefined)
      expect(build).toThrow(expect.objectContaining({ code: 'AUTH' }))
      expect(build).not.toThrow(apiKey)
    },
  )
})

describe('the lineage', () => {
  test('is not asked for unless a header is named', () => {
    const lineageOf = vi.fn()
    expect(buildHeaders(key, { sessionId }, lineageOf)).toEqual(plain)
    expect(lineageOf).not.toHaveBeenCalled()
  })

  test('goes into the named header', () => {
    const lineageOf = vi.fn(() => '0/1.2.0.0')
    const headers = buildHeaders({ ...key, sessionHeader: 'x-lineage' }, { sessionId }, lineageOf)
    expect(headers).toEqual({ ...plain, 'x-lineage': '0/1.2.0.0' })
    expect(lineageOf).toHaveBeenCalledExactlyOnceWith('s-1')
  })

  test('a call without a session has none', () => {
    const lineageOf = vi.fn(() => 'unused')
    expect(buildHeaders({ ...key, sessionHeader: 'x-lineage' }, {}, lineageOf)).toEqual(plain)
    expect(lineageOf).not.toHaveBeenCalled()
  })

  test.each([
    [undefined, 'not known'],
    ['', 'not printable ASCII'],
    ['0\n1', 'not printable ASCII'],
    ['0/ü', 'not printable ASCII'],
  ])('%j is refused', (lineage, why) => {
    expect(() =>
      buildHeaders({ ...key, sessionHeader: 'x-lineage' }, { sessionId }, () => lineage),
    ).toThrow(
      expect.objectContaining({
        code: 'INVALID_REQUEST',
        message: `sessionHeader is set, but the lineage of the session "s-1" is ${why}; unset sessionHeader or provide lineageOf`,
      }),
    )
  })
})
