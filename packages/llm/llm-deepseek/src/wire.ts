import { LlmError } from 'dsh-llm'
import { z } from 'zod'
import { streamError } from './failure.ts'
import { excerpt, type Redact } from './text.ts'

/** One event of a streaming completion, as far as it is read. Anything else in it is ignored. */
export interface WireChunk {
  readonly choices?: readonly WireChoice[] | null | undefined
  readonly usage?: WireUsage | null | undefined
}
interface WireChoice {
  readonly index?: number | null | undefined
  readonly delta?: WireDelta | null | undefined
  readonly finish_reason?: string | null | undefined
}
export interface WireDelta {
  readonly content?: string | null | undefined
  readonly reasoning_content?: string | null | undefined
  readonly tool_calls?: readonly WireToolCallDelta[] | null | undefined
}
export interface WireToolCallDelta {
  readonly index: number
  readonly id?: string | null | undefined
  readonly function?:
    | { readonly name?: string | null | undefined; readonly arguments?: string | null | undefined }
    | null
    | undefined
}
export interface WireUsage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly prompt_cache_hit_tokens?: number | null | undefined
  readonly prompt_tokens_details?:
    | { readonly cached_tokens?: number | null | undefined }
    | null
    | undefined
  readonly completion_tokens_details?:
    | { readonly reasoning_tokens?: number | null | undefined }
    | null
    | undefined
}

const EXCERPT = 200
const count = z.int().nonnegative()
const text = z.string().nullish()

const chunkSchema: z.ZodType<WireChunk> = z.object({
  choices: z
    .array(
      z.object({
        index: count.nullish(),
        delta: z
          .object({
            content: text,
            reasoning_content: text,
            tool_calls: z
              .array(
                z.object({
                  index: count,
                  id: text,
                  function: z.object({ name: text, arguments: text }).nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
        finish_reason: text,
      }),
    )
    .nullish(),
  usage: z
    .object({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_cache_hit_tokens: count.nullish(),
      prompt_tokens_details: z.object({ cached_tokens: count.nullish() }).nullish(),
      completion_tokens_details: z.object({ reasoning_tokens: count.nullish() }).nullish(),
    })
    .nullish(),
})

/**
 * Reads the data of one event.
 * @throws LlmError `MALFORMED_RESPONSE` with a bounded excerpt; what `streamError` makes of an event
 *   that reports an error.
 */
export function parseWireChunk(data: string, redact: Redact): WireChunk {
  const malformed = (why: string): LlmError =>
    new LlmError(
      'MALFORMED_RESPONSE',
      `the provider sent an event that ${why}: ${excerpt(redact(data), EXCERPT)}`,
    )
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch {
    // The parser's own message is left out: it quotes the input without bound or redaction.
    throw malformed('is not JSON')
  }
  if (typeof value === 'object' && value !== null && 'error' in value && value.error) {
    throw streamError(value.error, redact)
  }
  const result = chunkSchema.safeParse(value)
  if (result.success) return result.data
  const path = result.error.issues[0]?.path.join('.')
  throw malformed(`is not a completion chunk (at ${path === '' ? 'its top' : path})`)
}
