import type { Context } from '@deepseek-ai/cordis'
import type { PatchOptions } from '@deepseek-ai/cordis-plugin-include'
import type { Clock } from 'dsh-brand'

/**
 * Loads the module that a row names. Injected, so that tests (and hosts that bundle their plugins)
 * decide what a name means.
 */
export interface Importer {
  /**
   * `name` is the row's `name` as written; `baseUrl` is the `file:` URL of the folder of the YAML
   * file that holds the row, with a trailing slash. Resolves to the module's namespace. Rejects when
   * there is no such module or it throws; the rejection becomes part of the boot error.
   */
  import(name: string, baseUrl: string): Promise<unknown>
}

/** Where log lines go: `process.stderr`, or a list in a test. Must not throw. */
export interface TextSink {
  /** `text` is one line that ends in a newline. */
  write(text: string): unknown
}

/** What is written to the sink: this severity and graver ones. */
export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug'

/** What is booted, and from where. */
export interface BootOptions {
  /** The composition: a `file:` URL, or a path (relative to the process's working directory). */
  readonly config: URL | string
  /** Patches on top of the file, with the meaning of an include row's `patches`. */
  readonly patches?: readonly PatchOptions[]
  /** Default: `nodeImporter()`. */
  readonly importer?: Importer
  /**
   * Called with the root context before any row is mounted, to provide what rows inject from the
   * host (streams, a clock). A rejection ends the boot.
   */
  readonly prepare?: (ctx: Context) => void | Promise<void>
  /** Default: `process.stderr`. Standard output is never written: it belongs to the protocol. */
  readonly stderr?: TextSink
  /** Default: `warn`. */
  readonly level?: LogLevel
  /** Default: the machine's clock. Used for the two bounds below only. */
  readonly clock?: Clock
  /** How long all rows together may take to start, in milliseconds. Default: 30 000. */
  readonly timeoutMs?: number
  /** How long disposal may take, in milliseconds. Default: 10 000. */
  readonly disposeTimeoutMs?: number
}

/** A running composition: every row that is not disabled is active. */
export interface Composition {
  /** The root context. */
  readonly ctx: Context
  /**
   * Disposes every plugin and waits for their clean-up. May be called any number of times, also at
   * once: all calls share one result. A clean-up that throws is logged and does not stop the others.
   * Rejects with `BootError` `DISPOSE_TIMEOUT` when clean-up outlasts `disposeTimeoutMs`.
   */
  readonly dispose: () => Promise<void>
}

/** Why one row, or a plugin that a row mounted, keeps a composition from running. */
export interface RowProblem {
  /** The row's id, prefixed by the ids of the includes around it (`live:llm`). */
  readonly id: string
  /** The row's `name`; for a plugin that a row mounted in code, that plugin's own name. */
  readonly name: string
  /** The YAML file that holds the row; absent for plugins that the host mounted. */
  readonly file?: string
  /** What is wrong, in words. */
  readonly reason: string
  /** The services that it waits for; empty when it does not wait. */
  readonly waitsFor: readonly string[]
  /** What was thrown or logged as an error by it, oldest first. */
  readonly errors: readonly unknown[]
}
