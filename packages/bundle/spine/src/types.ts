import type { Readable, Writable } from 'node:stream'
import type { Importer } from 'dsh-boot'
import type { Clock } from 'dsh-brand'

/** What a runner needs of its process; `process` itself in a bin, something else in tests. */
export interface RunnerProcess {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
  off(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
  exit(code: number): void
}

/** The two compositions of an agent: one for its work, one for its snapshots. */
export interface Compositions {
  /** The live composition. */
  readonly config: URL
  /** The composition for `DSH_SNAPSHOT=replay`. */
  readonly snapshotConfig?: URL
}

/** How an agent is booted, served, and ended. */
export interface RunOptions extends Compositions {
  /** How rows find their plugins. Default: as Node would from the composition's folder. */
  readonly importer?: Importer
  /** How long the sessions may take to end once nobody is served, in milliseconds. Default 10,000. */
  readonly drainTimeoutMs?: number
  /** Default: the machine's. */
  readonly clock?: Clock
}

/** Somebody who is being served: a client over a protocol, a user at a terminal. */
export interface Serving {
  /** Resolves once nobody is served any more; the sessions may still be ending. Never rejects. */
  readonly closed: Promise<void>
  /** Settles once all of it has ended in order; rejects with what could not be done or saved. */
  readonly ended: Promise<void>
  /** Ends it from this side; `ended` settles as above. Idempotent. */
  close(): void
  /**
   * What SIGINT means before it means the end. Returns false where there is nothing to interrupt.
   * Absent where it always means the end.
   */
  interrupt?(): boolean
}
