import type { ReportRecord } from 'dsh-llm-replay'
import type { Scenario } from '../scenario/types.ts'

/** How to start the agent under test. */
export interface AgentCommand {
  /** Program and arguments; the program is looked up on PATH unless it is absolute. */
  readonly command: readonly [string, ...string[]]
  /** Added to the scrubbed environment. */
  readonly env?: Readonly<Record<string, string>>
}

/** Which half of the tier the agent runs in. */
export type SnapshotMode = 'replay' | 'record'

export interface RunOptions {
  readonly scenario: Scenario
  readonly agent: AgentCommand
  readonly mode: SnapshotMode
  /** Bound on the whole run where the scenario names none, in milliseconds. Default 60,000. */
  readonly timeoutMs?: number
  /** Where the run's folder is made. Default: the system's temp folder. */
  readonly tempRoot?: string
  /** Ends the run early; everything is killed and cleaned up as in any other case. */
  readonly signal?: AbortSignal
}

/** A log as it was found below the sessions root. */
export interface HarvestedLog {
  /** Why it cannot be taken as a log, where it cannot; a finding of its own. */
  readonly problem?: string
  /** Path below the sessions root. */
  readonly path: string
  readonly text: string
}

/** Something that went wrong while running, apart from what was said and written. */
export type RunFault =
  | {
      readonly kind: 'step-failed'
      readonly step: number
      readonly op: string
      readonly message: string
    }
  | { readonly kind: 'protocol-line'; readonly line: number; readonly text: string }
  | { readonly kind: 'agent-exited'; readonly code: number | null; readonly signal: string | null }
  | { readonly kind: 'agent-not-started'; readonly message: string }
  | { readonly kind: 'timeout'; readonly afterMs: number; readonly waitingFor: string }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'descendants-left'; readonly processes: readonly string[] }
  | {
      readonly kind: 'output-too-large'
      readonly stream: 'stdout' | 'stderr'
      readonly bytes: number
    }
  | { readonly kind: 'report-unreadable'; readonly message: string }
  | { readonly kind: 'harvest-failed'; readonly message: string }

/** Where everything of a run lies; the folder is removed unless it is kept. All absolute. */
export interface RunFolder {
  readonly dir: string
  readonly cwd: string
  readonly home: string
  readonly sessionsRoot: string
  readonly reportFile: string
  readonly stdoutFile: string
  readonly stderrFile: string
}

/** What a run captured. Never thrown away silently: faults are in it, not beside it. */
export interface RunResult {
  readonly scenario: string
  readonly mode: SnapshotMode
  readonly folder: RunFolder
  /** Every path under which the cwd is known (itself, its real path), longest first. */
  readonly cwdAliases: readonly string[]
  /** Raw lines of the agent's stdout, in order, over all restarts. */
  readonly stdout: readonly string[]
  /** Primary first, then children in order. */
  readonly sessionLogs: readonly HarvestedLog[]
  readonly report: readonly ReportRecord[]
  /** The last lines of stderr, for people. */
  readonly stderrTail: string
  readonly faults: readonly RunFault[]
  /** Live session ids in the order in which `session/new` gave them. */
  readonly sessionIds: readonly string[]
  readonly durationMs: number
}
