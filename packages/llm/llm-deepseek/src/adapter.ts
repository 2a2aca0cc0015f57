import type { Clock } from 'dsh-brand'
import type { GenerateOptions, LineageOf, LlmAdapter, StreamChunk } from 'dsh-llm'
import { LlmError } from 'dsh-llm'
import type { Settings } from './config.ts'
import { httpError, providerMessage, transportError } from './failure.ts'
import { CallGuard } from './guard.ts'
import { buildHeaders } from './headers.ts'
import { buildRequest } from './request.ts'
import { SseDecoder, type SseLimits } from './sse.ts'
import { excerpt, type Redact, redactor } from './text.ts'
import { Translator } from './translate.ts'
import { parseWireChunk } from './wire.ts'

/** What the adapter takes from its surroundings. */
export interface AdapterDeps {
  readonly clock: Clock
  /** Must end its promises and bodies when the signal that it is given aborts. */
  readonly fetch: typeof globalThis.fetch
  /** Asked only when `sessionHeader` is set. */
  readonly lineageOf: LineageOf
  readonly limits?: SseLimits
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** A failed answer is read until this many UTF-16 units of its body have come. */
const MAX_ERROR_BODY = 64 * 2 ** 10

/** An adapter named `deepseek`. Makes no connection before a stream is iterated. */
export function createDeepSeekAdapter(settings: Settings, deps: AdapterDeps): LlmAdapter {
  return {
    name: 'deepseek',
    serves: (model) => settings.models?.includes(model) ?? true,
    stream: (options) => new Call(settings, deps, options).run(),
  }
}

class Call {
  private readonly settings: Settings
  private readonly deps: AdapterDeps
  private readonly options: GenerateOptions
  private readonly redact: Redact

  constructor(settings: Settings, deps: AdapterDeps, options: GenerateOptions) {
    this.settings = settings
    this.deps = deps
    this.options = options
    this.redact = redactor(settings.apiKey)
  }

  async *run(): AsyncGenerator<StreamChunk, void, undefined> {
    const { settings, deps, options, redact } = this
    const guard = new CallGuard(deps.clock, settings.totalTimeoutMs, options.signal)
    try {
      guard.check()
      const reader = await this.open(guard)
      const events = new SseDecoder(deps.limits)
      const translator = new Translator(redact)
      let silent = true
      while (!events.done) {
        const bytes = await this.read(guard, reader)
        if (bytes === undefined) {
          events.finish()
          if (!events.done) throw closedEarly(silent)
          break
        }
        for (const data of events.push(bytes)) {
          silent = false
          for (const chunk of translator.push(parseWireChunk(data, redact))) {
            guard.check()
            yield chunk
          }
        }
      }
      for (const chunk of translator.end()) {
        guard.check()
        yield chunk
      }
    } finally {
      guard.dispose()
    }
  }

  /** Sends the request and returns the body of its answer, which is an event stream. */
  private async open(guard: CallGuard): Promise<Reader> {
    const { settings, deps, options, redact } = this
    const headers = buildHeaders(settings, options, deps.lineageOf)
    const body = JSON.stringify(buildRequest(options))
    const response = await guard.within(
      { what: 'answer', ms: settings.connectTimeoutMs, setting: 'connectTimeoutMs' },
      () =>
        deps.fetch(settings.endpoint, {
          method: 'POST',
          headers,
          body,
          signal: guard.signal,
          // A redirect would turn the request into a GET, or carry the key elsewhere.
          redirect: 'manual',
        }),
      (error) => transportError(error, true, redact),
    )
    const { status } = response
    const reader = response.body?.getReader()
    if (!response.ok) {
      throw httpError(
        {
          status,
          retryAfter: response.headers.get('retry-after'),
          date: response.headers.get('date'),
          body: await this.readSome(guard, reader),
        },
        deps.clock.now(),
        redact,
      )
    }
    if (reader === undefined) {
      throw new LlmError('EMPTY_RESPONSE', `the provider answered HTTP ${status} without a body`, {
        status,
      })
    }
    const type = response.headers.get('content-type') ?? ''
    if (type !== '' && !type.includes('text/event-stream')) {
      const own = providerMessage(await this.readSome(guard, reader), redact)
      throw new LlmError(
        'MALFORMED_RESPONSE',
        `the provider answered with ${excerpt(redact(type), 100)} where an event stream was expected${own === undefined ? '' : `: ${own}`}`,
        { status },
      )
    }
    return reader
  }

  /** The next bytes; undefined at the end. */
  private async read(guard: CallGuard, reader: Reader): Promise<Uint8Array | undefined> {
    const result = await guard.within(
      { what: 'go on', ms: this.settings.idleTimeoutMs, setting: 'idleTimeoutMs' },
      () => reader.read(),
      (error) => transportError(error, false, this.redact),
    )
    return result.value
  }

  /** The beginning of a failed answer's body: what can be had, since the failure itself is known. */
  private async readSome(guard: CallGuard, reader: Reader | undefined): Promise<string> {
    if (reader === undefined) return ''
    const decoder = new TextDecoder()
    let text = ''
    try {
      while (text.length < MAX_ERROR_BODY) {
        const bytes = await this.read(guard, reader)
        if (bytes === undefined) break
        text += decoder.decode(bytes, { stream: true })
      }
    } catch (error) {
      if (guard.aborted) throw error
    }
    return text
  }
}

function closedEarly(silent: boolean): LlmError {
  return silent
    ? new LlmError('EMPTY_RESPONSE', 'the provider closed the stream without sending anything')
    : new LlmError('STREAM_CLOSED', 'the provider closed the stream before [DONE]')
}
