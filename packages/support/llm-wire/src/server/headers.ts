import type { IncomingHttpHeaders } from 'node:http'

const KEPT = ['accept', 'authorization', 'content-type', 'user-agent']

/**
 * The headers that are kept with a request: those that say what a client is, and the session header
 * (lower case). A key is never kept, only that there was one.
 */
export function selectHeaders(
  headers: IncomingHttpHeaders,
  sessionHeader: string,
): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of [...KEPT, sessionHeader]) {
    const value = headerOf(headers, name)
    if (value !== undefined) kept[name] = name === 'authorization' ? mask(value) : value
  }
  return kept
}

/** The value of a header; one that came several times is joined as HTTP allows. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

function mask(value: string): string {
  return /^bearer /iu.test(value) ? 'Bearer ***' : '***'
}
