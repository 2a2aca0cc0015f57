import { type Context, Service } from '@deepseek-ai/cordis'
import { LlmError } from './error.ts'
import type { GenerateOptions, LlmAdapter, ModelStream } from './types.ts'

declare module '@deepseek-ai/cordis' {
  interface Context {
    llm: LlmService
  }
  interface Events {
    /**
     * Every model call passes here. A listener either returns `next()` (perhaps wrapped) or answers
     * itself; it must return a stream synchronously and let errors surface on iteration.
     * @mode waterfall
     */
    'llm/stream'(options: GenerateOptions, next: () => ModelStream): ModelStream
  }
}

/** The registry of adapters and the one way to call a model: `ctx.llm`. */
export class LlmService extends Service {
  // TypeScript-private only: calls go through a proxy, which #private does not survive.
  private readonly adapters: LlmAdapter[] = []

  constructor(ctx: Context) {
    super(ctx, 'llm')
  }

  /**
   * Adds an adapter until the returned function is called or the calling plugin is disposed.
   * @throws LlmError `DUPLICATE_ADAPTER` when one of that name is registered.
   */
  register(adapter: LlmAdapter): () => void {
    if (this.adapters.some((other) => other.name === adapter.name)) {
      throw new LlmError(
        'DUPLICATE_ADAPTER',
        `an adapter named "${adapter.name}" is already registered; disable one of the two rows`,
      )
    }
    const dispose = this.ctx.effect(() => {
      this.adapters.push(adapter)
      return () => {
        const index = this.adapters.indexOf(adapter)
        if (index >= 0) this.adapters.splice(index, 1)
      }
    }, `llm adapter ${adapter.name}`)
    return () => void dispose()
  }

  /**
   * Calls a model through the `llm/stream` waterfall. Never throws: that no adapter serves the
   * model (`NO_ADAPTER`) surfaces on iteration like every other failure.
   */
  stream(options: GenerateOptions): ModelStream {
    return this.ctx.waterfall('llm/stream', options, () => this.dispatch(options))
  }

  private dispatch(options: GenerateOptions): ModelStream {
    const adapter = this.adapters.find((candidate) => candidate.serves(options.model))
    if (adapter !== undefined) return adapter.stream(options)
    const names = this.adapters.map((other) => other.name).join(', ')
    return failingStream(
      new LlmError(
        'NO_ADAPTER',
        `no adapter serves the model "${options.model}" (registered: ${names === '' ? 'none' : names})`,
      ),
    )
  }
}

/** A stream that rejects on first iteration. */
export function failingStream(error: Error): ModelStream {
  return {
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }),
  }
}
