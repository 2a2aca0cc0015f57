import { type Context, Service } from '@deepseek-ai/cordis'
import { LlmError } from './error.ts'
import { failingStream, isModelStream } from './stream.ts'
import type { GenerateOptions, LineageOf, LlmAdapter, ModelStream, RetryWait } from './types.ts'

declare module '@deepseek-ai/cordis' {
  interface Context {
    llm: LlmService
    /** Optional; read it with `ctx.get('lineageOf')`. */
    lineageOf: LineageOf
  }
  interface Events {
    /**
     * Every model call passes here. A listener either returns `next()` (perhaps wrapped) or answers
     * itself; it must return a stream synchronously and let errors surface on iteration. What it
     * throws, and what it returns instead of a stream, fails the call.
     * @mode waterfall
     */
    'llm/stream'(options: GenerateOptions, next: () => ModelStream): ModelStream
    /**
     * The wait before a failed call is made again; resolves once it may be. A listener returns
     * `next()`, which waits as long as is due or until the signal aborts, or cuts the wait short. One
     * that rejects fails the turn.
     * @mode waterfall
     */
    'llm/retry-delay'(wait: RetryWait, next: () => Promise<void>): Promise<void>
  }
}

/** The registry of adapters and the one way to call a model: `ctx.llm`. */
export class LlmService extends Service {
  // TypeScript-private only: calls go through a proxy, which #private does not survive.
  private readonly adapters = new Map<string, LlmAdapter>()

  constructor(ctx: Context) {
    super(ctx, 'llm')
  }

  /**
   * Adds an adapter until the returned function is called or the calling plugin is disposed. Where
   * several serve a model, the one that was registered first answers.
   * @throws LlmError `DUPLICATE_ADAPTER` when one of that name is registered.
   */
  register(adapter: LlmAdapter): () => void {
    const { name } = adapter
    if (this.adapters.has(name)) {
      throw new LlmError(
        'DUPLICATE_ADAPTER',
        `an adapter named "${name}" is already registered; disable one of the two rows`,
      )
    }
    const dispose = this.ctx.effect(() => {
      this.adapters.set(name, adapter)
      return () => void this.adapters.delete(name)
    }, `llm adapter ${name}`)
    return () => void dispose()
  }

  /**
   * Calls a model through the `llm/stream` waterfall and returns the very stream that its first
   * listener returned. Never throws: every failure, also that no adapter serves the model
   * (`NO_ADAPTER`), surfaces on iteration.
   */
  stream(options: GenerateOptions): ModelStream {
    try {
      const stream: unknown = this.ctx.waterfall('llm/stream', options, () =>
        this.dispatch(options),
      )
      return isModelStream(stream) ? stream : failingStream(notAStream(stream))
    } catch (error) {
      return failingStream(error)
    }
  }

  private dispatch(options: GenerateOptions): ModelStream {
    const adapters = [...this.adapters.values()]
    const adapter = adapters.find((candidate) => candidate.serves(options.model))
    if (adapter !== undefined) return adapter.stream(options)
    const names = adapters.map((other) => other.name).join(', ')
    return failingStream(
      new LlmError(
        'NO_ADAPTER',
        `no adapter serves the model "${options.model}" (registered: ${names === '' ? 'none' : names}); ` +
          'enable an adapter for it or change the model',
      ),
    )
  }
}

function notAStream(value: unknown): LlmError {
  if (value instanceof Promise) {
    // The promise is dropped here, and its failure must not bring the process down.
    value.catch(() => undefined)
  }
  const came = value instanceof Promise ? 'a promise' : typeof value
  return new LlmError(
    'INVALID_STREAM',
    `a listener of llm/stream returned ${came} where a stream was expected; return next() or an async iterable, synchronously`,
  )
}
