import type { Clock, IdSource } from 'dsh-brand'
import type { NormaliseRule, ReportRecord } from 'dsh-llm-replay'
import type { Scenario } from '../scenario/types.ts'
import type { RunLimits } from './limits.ts'
import type { ProcessTable } from './process-table.ts'

/**
 * The names of the variables by which an agent finds its model. They reach it when it is recorded, and
 * never in replay: from the host where a real model answers, else with the embedded model's address.
 */
export interface ModelEnv {
  /** The key, or several where a provider wants several: all of them are needed. */
  readonly key: string | readonly string[]
  /** The address that the model is asked at. */
  readonly baseUrl: string
}

/** How to start the agent under test. */
export interface AgentCommand {
  /**
   * Program and arguments; the program is looked up on PATH unless it is absolute. A relative path
   * would be resolved in the run's cwd, so callers make it absolute.
   */
  readonly command: readonly [string, ...string[]]
  /** Added to the scrubbed environment, last: it may override anything in it. */
  readonly env?: Readonly<Record<string, string>>
  /** Default: `DEEPSEEK_API_KEY` and `DEEPSEEK_BASE_URL`. */
  readonly modelEnv?: ModelEnv
}

/** Which half of the tier the agent runs in. */
export type SnapshotMode = 'replay' | 'record'

/** One run of an agent through the script of a scenario. */
export interface RunOptions {
  /** As `loadScenario` gave it. */
  readonly scenario: Scenario
  /** The program under test. */
  readonly agent: AgentCommand
  /** Decides who answers the model calls, and what the agent is told of that. */
  readonly mode: SnapshotMode
  /** Bound on the whole run where the scenario names none, in milliseconds. Default 60,000. */
  readonly timeoutMs?: number
  /** Where the run's folder is made. Default: the system's temp folder. */
  readonly tempRoot?: string
  /** A project's own replacements, for the agent's side of strict requests. */
  readonly rules?: readonly NormaliseRule[]
  /**
   * Ends the run early, at any point: everything is killed, the folder is removed at once, and the
   * result carries the fault `interrupted`.
   */
  readonly signal?: AbortSignal
}

/** A model call that is recorded as a hang, and where in the script it waits for its cancel. */
export interface HangPoint {
  /** Index of the replay script, as in the report. */
  readonly lane: number
  /** Call in that lane, from 1, as in the report. */
  readonly call: number
  /** Root session whose prompt it hangs under, in the order of `session/new`, from 0. */
  readonly root: number
  /** Which of that root's prompts that opened a turn, from 1. */
  readonly prompt: number
}

/** Whoever answers an agent's model calls in one run, and in no other. */
export interface ModelHost {
  /** Added to the agent's environment after everything else: it decides whom the agent calls. */
  readonly env: Readonly<Record<string, string>>
  /** Called once, after the agent has ended. Bounded. What it rejects with is the run's own error. */
  end(): Promise<void>
}

/** What a run takes from outside. All but `harvest` default to the machine's own. */
export interface RunDependencies {
  /**
   * Collects the logs below the sessions root once every process has ended. `signal` aborts when the
   * run is interrupted or the harvest has had its time; nobody waits any longer then.
   */
  readonly harvest: (sessionsRoot: string, signal: AbortSignal) => Promise<readonly HarvestedLog[]>
  /**
   * The recorded hangs of a scenario; asked in replay only. Without it a cancel waits for its own
   * condition alone.
   */
  readonly hangPoints?: (scenario: Scenario) => Promise<readonly HangPoint[]>
  /** Starts what answers the model calls of this run, where the harness has to provide it. */
  readonly model?: (folder: RunFolder) => Promise<ModelHost>
  /** For every bound and every wait. */
  readonly clock?: Clock
  /** Makes the run's id, by which its processes are found. */
  readonly ids?: IdSource
  /** How descendants are found and ended. */
  readonly processes?: ProcessTable
  /** What PATH and, when recording, the variables of `modelEnv` are taken from. */
  readonly hostEnv?: Readonly<Record<string, string | undefined>>
  /** Of `defaultLimits`, those that are to be otherwise. */
  readonly limits?: Partial<RunLimits>
}

/** A log as it was found below the sessions root. */
export interface HarvestedLog {
  /** Why it cannot be taken as a log, where it cannot; a finding of its own. */
  readonly problem?: string
  /** Path below the sessions root. */
  readonly path: string
  readonly text: string
}

/** Why a line of stdout is not the protocol's. */
export type LineProblem = 'not-utf8' | 'not-json' | 'not-json-rpc' | 'too-deep' | 'unterminated'

/**
 * Something that went wrong while running, apart from what was said and written. One cause, one
 * fault: what follows from the fault that stopped a run is not reported beside it.
 */
export type RunFault =
  | {
      readonly kind: 'step-failed'
      /** Index of the step, from 0. */
      readonly step: number
      readonly op: string
      readonly message: string
    }
  /** `line` counts all lines of the run's stdout from 1; `text` is cut to its beginning. */
  | {
      readonly kind: 'protocol-line'
      readonly line: number
      readonly text: string
      readonly problem?: LineProblem
    }
  /** An exit before the script was done, or one that reports failure after it. */
  | {
      readonly kind: 'agent-exited'
      readonly code: number | null
      readonly signal: string | null
      /** What the script was waiting for. */
      readonly during?: string
    }
  | { readonly kind: 'agent-not-started'; readonly message: string }
  | { readonly kind: 'timeout'; readonly afterMs: number; readonly waitingFor: string }
  | { readonly kind: 'interrupted' }
  /** Processes that outlived the agent, as `command line (pid N)`. They have been killed. */
  | { readonly kind: 'descendants-left'; readonly processes: readonly string[] }
  /**
   * The limit that was passed: `bytes` of the whole stream or of one line of stdout, or `lines` of
   * stdout.
   */
  | {
      readonly kind: 'output-too-large'
      readonly stream: 'stdout' | 'stderr'
      readonly bytes?: number
      readonly lines?: number
    }
  | { readonly kind: 'report-unreadable'; readonly message: string }
  | { readonly kind: 'harvest-failed'; readonly message: string }

/** Where everything of a run lies. All absolute. */
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
  /** Still there, for the caller to look at or keep, unless the run was interrupted. */
  readonly folder: RunFolder
  /** Every path under which the cwd is known (itself, its real path), longest first. */
  readonly cwdAliases: readonly string[]
  /** Raw lines of the agent's stdout, in order, over all restarts; what is not protocol too. */
  readonly stdout: readonly string[]
  /** Primary first, then children in order. */
  readonly sessionLogs: readonly HarvestedLog[]
  readonly report: readonly ReportRecord[]
  /** The last lines of stderr, for people. */
  readonly stderrTail: string
  /** What the agent warned of that does not make a run red, each once. */
  readonly notices: readonly string[]
  /** In the order in which they were found. */
  readonly faults: readonly RunFault[]
  /** Live session ids in the order in which `session/new` gave them. */
  readonly sessionIds: readonly string[]
  readonly durationMs: number
  /**
   * Removes the folder. The caller calls it, or keeps the folder by not calling it. May be called
   * again. Rejects where the folder cannot be removed.
   */
  readonly dispose: () => Promise<void>
}
