import { describe, expect, test } from 'vitest'
import {
  codeOfStatus,
  httpError,
  parseRetryAfter,
  providerMessage,
  streamError,
  transportError,
} from '../src/failure.ts'
import { redactor } from '../src/text.ts'

const redact = redactor('sk-secret')
const now = Date.UTC(2026, 0, 1)

test.each([
  [400, 'INVALID_REQUEST'],
  [401, 'AUTH'],
  [402, 'HTTP_402'],
  [403, 'AUTH'],
  [404, 'HTTP_404'],
  [429, 'RATE_LIMIT'],
  [499, 'HTTP_499'],
  [500, 'SERVER'],
  [503, 'SERVER'],
  [599, 'SERVER'],
  [600, 'HTTP_600'],
  [302, 'HTTP_302'],
])('the code of %i is %s', (status, code) => {
  expect(codeOfStatus(status)).toBe(code)
})

describe('httpError', () => {
  const make = (
    status: number,
    body = '',
    retryAfter: string | null = null,
    date: string | null = null,
  ) => httpError({ status, body, retryAfter, date }, now, redact)

  test('carries code, status, wait and what the provider says', () => {
    expect(make(429, '{"error":{"message":"slow down"}}', '7')).toMatchObject({
      code: 'RATE_LIMIT',
      status: 429,
      retryAfterMs: 7000,
      message: 'the provider answered HTTP 429: slow down',
    })
  })

  const RETRY = 'Thu, 01 Jan 2026 00:00:30 GMT'

  test.each([
    ['Thu, 01 Jan 2026 00:00:27 GMT', 3000],
    ['Thu, 01 Jan 2026 00:00:31 GMT', 0],
    ['no date', 30_000],
    [null, 30_000],
  ])('case R14: of an answer that is dated %j, a Retry-After date is %i ms', (date, expected) => {
    expect(make(429, '', RETRY, date).retryAfterMs).toBe(expected)
  })

  test('has no wait where none was asked for', () => {
    const error = make(500)
    expect(error.message).toBe('the provider answered HTTP 500')
    expect(error.retryAfterMs).toBeUndefined()
  })

  test.each([
    [401, '; check the API key ($DEEPSEEK_API_KEY)'],
    [403, '; check the API key ($DEEPSEEK_API_KEY)'],
    [404, '; check baseUrl ($DEEPSEEK_BASE_URL) and the model'],
    [300, '; redirects are not followed, check baseUrl'],
    [399, '; redirects are not followed, check baseUrl'],
    [400, ''],
    [299, ''],
  ])('of %i says what to do: %j', (status, hint) => {
    expect(make(status, 'why').message).toBe(`the provider answered HTTP ${status}: why${hint}`)
  })

  test('does not repeat the key', () => {
    expect(make(401, '{"error":{"message":"bad key sk-secret"}}').message).toContain('bad key ***;')
  })
})

describe('providerMessage', () => {
  test.each([
    ['{"error":{"message":"m","code":"x"}}', 'm'],
    ['{"error":{"detail":"d"}}', 'd'],
    ['{"error":"text"}', 'text'],
    ['{"message":"m","error":{"error":"too deep"}}', 'm'],
    ['{"detail":"d"}', 'd'],
    ['{"message":5,"detail":"d"}', 'd'],
    ['"quoted"', 'quoted'],
    ['plain  text\n', 'plain text'],
    ['{"other":1}', '{"other":1}'],
    ['null', 'null'],
    ['[]', '[]'],
    ['  <html>long page</html>', undefined],
    ['', undefined],
    ['{"error":{"message":" "}}', undefined],
  ])('of %s is %j', (body, expected) => {
    expect(providerMessage(body, redact)).toBe(expected)
  })

  test('is bounded, and redacted before it is cut', () => {
    const body = `${'x'.repeat(495)}sk-secret`
    expect(providerMessage(body, redact)).toBe(`${'x'.repeat(495)}***`)
    expect(providerMessage('y'.repeat(501), redact)).toBe(`${'y'.repeat(500)}…`)
  })
})

describe('streamError', () => {
  test.each([
    [{ message: 'm', code: 429 }, 'RATE_LIMIT', 429, 'm'],
    [{ message: 'm', code: '400' }, 'INVALID_REQUEST', 400, 'm'],
    [{ message: 'm', code: 'overloaded' }, 'SERVER', undefined, 'm'],
    [{ message: 'm', code: 4290 }, 'SERVER', undefined, 'm'],
    [{ message: 'm', code: 1429 }, 'SERVER', undefined, 'm'],
    [{ message: 'm' }, 'SERVER', undefined, 'm'],
    ['text', 'SERVER', undefined, 'text'],
    [5, 'SERVER', undefined, 'no message'],
    [{}, 'SERVER', undefined, 'no message'],
    [{ message: `sk-secret ${'z'.repeat(600)}` }, 'SERVER', undefined, `*** ${'z'.repeat(496)}…`],
  ])('%j', (error, code, status, message) => {
    const made = streamError(error, redact)
    expect(made).toMatchObject({
      code,
      message: `the provider reported an error in its stream: ${message}`,
    })
    expect(made.status).toBe(status)
  })
})

describe('transportError', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:1'), {
    code: 'ECONNREFUSED',
  })

  test('before an answer: could not reach, with the code at the bottom of the causes', () => {
    const error = new TypeError('fetch failed', { cause: refused })
    expect(transportError(error, true, redact)).toMatchObject({
      code: 'STREAM_CLOSED',
      message:
        'could not reach the provider (ECONNREFUSED); check the network and baseUrl ($DEEPSEEK_BASE_URL)',
    })
  })

  test.each([
    [new TypeError('terminated', { cause: new Error('other side\nclosed') }), 'other side closed'],
    [new TypeError('terminated', { cause: 'no error' }), 'terminated'],
    [Object.assign(new Error('numbered'), { code: 5 }), 'numbered'],
    ['thrown text with sk-secret', 'thrown text with ***'],
    [new Error('w'.repeat(501)), `${'w'.repeat(500)}…`],
  ])('within an answer: %s', (error, why) => {
    expect(transportError(error, false, redact)).toMatchObject({
      code: 'STREAM_CLOSED',
      message: `the connection to the provider broke (${why})`,
    })
  })
})

test.each([
  ['7', 7000],
  [' 0 ', 0],
  ['1.5', 1500],
  ['0.0001', 1],
  ['999999999999', 2_147_483_647],
  ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
  ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
  ['Thu, 01 Jan 2099 00:00:00 GMT', 2_147_483_647],
  ['2026-01-01', undefined],
  ['-5', undefined],
  ['Soon', undefined],
  ['', undefined],
  [null, undefined],
])('Retry-After %j is %j ms', (value, expected) => {
  expect(parseRetryAfter(value, now)).toBe(expected)
})
