import { createParser, type EventSourceParser } from 'eventsource-parser'
import { LlmError } from 'dsh-llm'

/** Bounds on what a provider may send. */
export interface SseLimits {
  /** Longest event, in UTF-16 units. */
  readonly event: number
  /** Longest response, in bytes. */
  readonly response: number
}

export const DEFAULT_SSE_LIMITS: SseLimits = { event: 8 * 2 ** 20, response: 64 * 2 ** 20 }

/** Cuts a response into the data of its events, up to `[DONE]`. */
export class SseDecoder {
  private readonly text = new TextDecoder()
  private readonly parser: EventSourceParser
  private readonly limits: SseLimits
  private received = 0
  private events: string[] = []
  private ended = false
  private oversize = false

  constructor(limits: SseLimits = DEFAULT_SSE_LIMITS) {
    this.limits = limits
    this.parser = createParser({
      maxBufferSize: limits.event,
      onEvent: ({ data }) => this.take(data),
      onError: (error) => {
        // Unknown fields are ignored, as the format asks.
        if (error.type === 'max-buffer-size-exceeded') this.oversize = true
      },
    })
  }

  /** Whether `[DONE]` has come. What follows it is ignored. */
  get done(): boolean {
    return this.ended
  }

  /**
   * The data of the events that these bytes complete.
   * @throws LlmError `MALFORMED_RESPONSE` over a limit.
   */
  push(bytes: Uint8Array): string[] {
    this.received += bytes.byteLength
    if (this.received > this.limits.response) {
      throw tooLong('a response', this.limits.response, 'bytes')
    }
    this.parser.feed(this.text.decode(bytes, { stream: true }))
    if (this.oversize) throw tooLong('an event', this.limits.event, 'characters')
    return this.events.splice(0)
  }

  /**
   * Says that no bytes will follow. An event that was not completed by its empty line is dropped,
   * unless it is `[DONE]`, which some servers leave so.
   */
  finish(): void {
    this.parser.feed('\n\n')
    this.events = []
  }

  private take(data: string): void {
    if (data.length > this.limits.event) this.oversize = true
    if (data.trim() === '[DONE]') this.ended = true
    if (!this.ended) this.events.push(data)
  }
}

function tooLong(what: string, limit: number, unit: string): LlmError {
  return new LlmError(
    'MALFORMED_RESPONSE',
    `the provider sent ${what} of more than ${limit} ${unit}; the answer was dropped`,
  )
}
