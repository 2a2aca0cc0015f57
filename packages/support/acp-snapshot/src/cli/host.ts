import type { InterruptHost } from '../run/interrupt.ts'

/** Where a command writes to. */
export interface CliOutput {
  /** Set where people look at it. */
  readonly isTTY?: boolean | undefined
  write(text: string): unknown
  /** A stream that cannot be written to any more says so here. */
  on?(event: 'error', listener: (error: Error) => void): unknown
}

/** What a command needs of its process. */
export interface CliHost extends InterruptHost {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: CliOutput
  readonly stderr: CliOutput
  cwd(): string
}

/** What every command gets: its lines to the user, and the signal that ends it early. */
export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly signal: AbortSignal
  /** Whether what is printed may be coloured. */
  readonly colour: boolean
  /** Writes one line for people or, for results, for programs. */
  print(line: string): void
}

/** Exit codes, as the field has them. */
export const EXIT = { passed: 0, failed: 1, usage: 2, interrupted: 130 } as const
