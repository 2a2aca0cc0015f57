import type { Readable, Writable } from 'node:stream'

/** The two ends of a connection; standard input and output in a real agent. */
export interface AcpStreams {
  readonly input: Readable
  readonly output: Writable
}

/** A connection that is being served. */
export interface AcpServing {
  /** Resolves once the client has gone; the sessions may still be ending then. Never rejects. */
  readonly closed: Promise<void>
  /**
   * Resolves once the client has gone (its input ended, or the output broke) and every session of
   * the connection has been ended in order: running turns logged as `disposed`, logs flushed.
   * Rejects with what could not be flushed.
   */
  readonly ended: Promise<void>
  /** Ends the connection from this side; `ended` settles as above. Idempotent. */
  close(): void
}

/**
 * `ctx.acp`: serves agents to one client over the Agent Client Protocol. Mounting the plugin opens
 * nothing: `serve` is called once the whole composition is known to be up.
 */
export interface AcpService {
  serve(streams: AcpStreams): AcpServing
}

declare module '@deepseek-ai/cordis' {
  interface Context {
    acp: AcpService
  }
}
