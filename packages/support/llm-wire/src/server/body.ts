import type { IncomingMessage } from 'node:http'

export type BodyResult =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'incomplete' }

/**
 * Reads a request body. One over the limit is read to its end and thrown away: answered earlier, a
 * client that is still sending would see a broken connection instead of the answer.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<BodyResult> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      size += part.length
      if (size <= maxBytes) parts.push(part)
      else parts.length = 0
    }
  } catch {
    return { kind: 'incomplete' }
  }
  if (size > maxBytes) return { kind: 'too_large' }
  return { kind: 'text', text: Buffer.concat(parts).toString('utf8') }
}
