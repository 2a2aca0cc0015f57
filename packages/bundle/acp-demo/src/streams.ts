import type { Readable, Writable } from 'node:stream'

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
