import type { Clock } from 'dsh-brand'
import { abortedError, LlmError } from 'dsh-llm'

/**
 * What may end a call from outside: the caller's signal, a wait that takes too long, or the call as
 * a whole. The first of them decides what the call fails with, and closes its connection.
 */
export class CallGuard {
  private readonly controller = new AbortController()
  private readonly clock: Clock
  private readonly release: () => void
  private reason: LlmError | undefined

  constructor(clock: Clock, totalMs: number, outer: AbortSignal | undefined) {
    this.clock = clock
    const abort = (): void => this.end(abortedError())
    outer?.addEventListener('abort', abort)
    const cancel = clock.after(totalMs, () => this.end(tooSlow('end', totalMs, 'totalTimeoutMs')))
    this.release = () => {
      cancel()
      outer?.removeEventListener('abort', abort)
    }
    if (outer?.aborted === true) abort()
  }

  /** For fetch: aborts when the call has ended. */
  get signal(): AbortSignal {
    return this.controller.signal
  }

  /** Whether the caller gave the call up. */
  get aborted(): boolean {
    return this.reason?.code === 'aborted'
  }

  /** @throws LlmError when the call has ended. */
  check(): void {
    if (this.reason !== undefined) throw this.reason
  }

  /**
   * Awaits one step of the call, which must end when `signal` aborts.
   * @throws LlmError why the call has ended, else what `onError` makes of the failure.
   */
  async within<T>(
    wait: { readonly what: string; readonly ms: number; readonly setting: string },
    step: () => Promise<T>,
    onError: (error: unknown) => LlmError,
  ): Promise<T> {
    const cancel = this.clock.after(wait.ms, () =>
      this.end(tooSlow(wait.what, wait.ms, wait.setting)),
    )
    try {
      return await step()
    } catch (error) {
      throw this.reason ?? onError(error)
    } finally {
      cancel()
    }
  }

  /** Ends the call for good: closes the connection and lets go of timers and listeners. */
  dispose(): void {
    this.release()
    this.controller.abort()
  }

  private end(reason: LlmError): void {
    this.reason ??= reason
    this.controller.abort()
  }
}

function tooSlow(what: string, ms: number, setting: string): LlmError {
  return new LlmError(
    'STREAM_CLOSED',
    `the provider did not ${what} within ${ms} ms; raise ${setting} if it needs longer`,
  )
}
