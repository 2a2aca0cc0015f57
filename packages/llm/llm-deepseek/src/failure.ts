import { MAX_TIMER_MS } from 'dsh-brand'
import { LlmError } from 'dsh-llm'
import { excerpt, type Redact } from './text.ts'

const MESSAGE = 500

/** The stable code of an HTTP status. */
export function codeOfStatus(status: number): string {
  if (status === 401 || status === 403) return 'AUTH'
  if (status === 429) return 'RATE_LIMIT'
  if (status === 400) return 'INVALID_REQUEST'
  if (status >= 500 && status <= 599) return 'SERVER'
  return `HTTP_${status}`
}

/** What a user can do about a status, where that is not the provider's to say. */
function hintFor(status: number): string {
  if (status === 401 || status === 403) return '; check the API key ($DEEPSEEK_API_KEY)'
  if (status === 404) return '; check baseUrl ($DEEPSEEK_BASE_URL) and the model'
  if (status >= 300 && status <= 399) return '; redirects are not followed, check baseUrl'
  return ''
}

/** An answer with another status than 2xx. Names no host, so that recordings of it do not vary. */
export function httpError(
  answer: {
    readonly status: number
    readonly retryAfter: string | null
    readonly date: string | null
    readonly body: string
  },
  now: number,
  redact: Redact,
): LlmError {
  const { status, retryAfter, date } = answer
  const own = providerMessage(answer.body, redact)
  const retryAfterMs = parseRetryAfter(retryAfter, parseDate(date) ?? now)
  return new LlmError(
    codeOfStatus(status),
    `the provider answered HTTP ${status}${own === undefined ? '' : `: ${own}`}${hintFor(status)}`,
    { status, ...(retryAfterMs !== undefined && { retryAfterMs }) },
  )
}

/** An error that came as an event, after the stream had begun with status 200. */
export function streamError(error: unknown, redact: Redact): LlmError {
  const own = messageIn(error) ?? 'no message'
  const message = `the provider reported an error in its stream: ${excerpt(redact(own), MESSAGE)}`
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : ''
  const status = /^[1-5]\d\d$/.test(String(code)) ? Number(code) : undefined
  return status === undefined
    ? new LlmError('SERVER', message)
    : new LlmError(codeOfStatus(status), message, { status })
}

/** What the network did instead of answering. */
export function transportError(error: unknown, before: boolean, redact: Redact): LlmError {
  const why = excerpt(redact(rootReason(error)), MESSAGE)
  return new LlmError(
    'STREAM_CLOSED',
    before
      ? `could not reach the provider (${why}); check the network and baseUrl ($DEEPSEEK_BASE_URL)`
      : `the connection to the provider broke (${why})`,
  )
}

/** fetch says "fetch failed" and keeps the reason in a chain of causes; a code says it without a host. */
function rootReason(error: unknown): string {
  let inner = error
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause
  if (!(inner instanceof Error)) return String(inner)
  return 'code' in inner && typeof inner.code === 'string' ? inner.code : inner.message
}

/** What the provider says about an error, on one line; undefined where it says nothing readable. */
export function providerMessage(body: string, redact: Redact): string | undefined {
  const text = messageIn(parsed(body)) ?? (body.trimStart().startsWith('<') ? '' : body)
  const line = excerpt(redact(text), MESSAGE)
  return line === '' ? undefined : line
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

// One level of `error`, in the shapes in use: {error: {message}}, {error: "…"}, {message}, {detail}.
function messageIn(value: unknown, nested = false): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return undefined
  const { error, message, detail } = value as Readonly<Record<string, unknown>>
  if (!nested && error !== undefined) {
    const own = messageIn(error, true)
    if (own !== undefined) return own
  }
  if (typeof message === 'string') return message
  return typeof detail === 'string' ? detail : undefined
}

/**
 * `Retry-After` in milliseconds, from seconds or an HTTP date; undefined where it is neither. A date
 * counts from `sentAt`, which is best the answer's own `Date`: by one clock, in whole seconds, the
 * same wait is the same number every time.
 */
export function parseRetryAfter(value: string | null, sentAt: number): number | undefined {
  const text = value?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Math.ceil(Number(text) * 1000), MAX_TIMER_MS)
  const date = parseDate(text)
  return date === undefined ? undefined : Math.min(Math.max(date - sentAt, 0), MAX_TIMER_MS)
}

/** A date of HTTP begins with its weekday; Date.parse alone accepts nearly anything. */
function parseDate(value: string | null): number | undefined {
  const date = /^[A-Z][a-z]{2}/.test(value ?? '') ? Date.parse(value as string) : Number.NaN
  return Number.isNaN(date) ? undefined : date
}
