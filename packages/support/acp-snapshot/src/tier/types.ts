import type { NormaliseRule, ToolPolicy } from 'dsh-llm-replay'
import type { AgentCommand } from '../run/types.ts'
import type { NormalRun } from '../verdict/normal-run.ts'
import type { Invocation, Verdict } from '../verdict/types.ts'

/** How the scenarios of a project are run. */
export interface TierOptions {
  /** The program under test. */
  readonly agent: AgentCommand
  /** Bound on a run whose scenario names none, in milliseconds. Default 60,000. */
  readonly timeoutMs?: number
  /** A project's own replacements, in what is compared and in what is written. */
  readonly normalise?: readonly NormaliseRule[]
  /** What becomes of a tool in replay where the scenario does not say. Default: it runs. */
  readonly tools?: Readonly<Record<string, ToolPolicy>>
  /** Where run folders are made. Default: the system's temp folder. */
  readonly tempRoot?: string
  /** Ends the run early; everything is killed and cleaned up. */
  readonly signal?: AbortSignal
  /** Leave the folder of a red run for people to look into. Default true. */
  readonly keepFailed?: boolean
  /** How scenarios are brought up to date here; stands in the verdict that is kept with a red run. */
  readonly invocation?: Invocation
}

/** A scenario that was replayed, and what it gave. */
export interface ReplayOutcome {
  readonly verdict: Verdict
  /** What it said and wrote, in normal form. */
  readonly normal: NormalRun
}
