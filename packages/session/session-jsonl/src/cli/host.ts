import type { Writable } from 'node:stream'

/** What the command needs of its process; `process` itself in the bin. */
export interface CliHost {
  readonly argv: readonly string[]
  readonly stdin: AsyncIterable<Uint8Array>
  readonly stdout: Writable
  readonly stderr: {
    write(text: string): unknown
    /** A stream that cannot be written to says so here. */
    on?(event: 'error', listener: () => void): unknown
  }
}

/**
 * Exit codes. Of several logs the worst decides: from `sound` over `repairable` and `failed` to
 * `corrupt`.
 */
export const EXIT = {
  /** All is well, or done. */
  sound: 0,
  /** `check`: loading repairs the log, at the cost of what is told. */
  repairable: 1,
  /** The command line is wrong, or a file cannot be read or written. */
  failed: 2,
  /** The log cannot be loaded. */
  corrupt: 3,
} as const

/** 0: all is well. 1: something was found. 2: the command itself was wrong. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** How standard input is written on a command line, and called in messages. */
export const STDIN = '-'
