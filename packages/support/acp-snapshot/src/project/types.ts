import type { NormaliseRule, ToolPolicy } from 'dsh-llm-replay'
import type { ModelEnv } from '../run/types.ts'

/**
 * What a project says about its agent and its scenarios, once: for the suite in Vitest and for the
 * command line. Written as `dsh-snapshot.config.json`, or exported as default by
 * `dsh-snapshot.config.mjs`.
 */
export interface ProjectConfig {
  /**
   * Program and arguments of the agent. In a config file, what names a file below the file's folder
   * is made absolute, since the agent runs elsewhere.
   */
  readonly command: readonly [string, ...string[]]
  /** Added to the agent's scrubbed environment, last. */
  readonly env?: Readonly<Record<string, string>>
  /**
   * The variables by which the agent finds its model. Default: `DEEPSEEK_API_KEY` and
   * `DEEPSEEK_BASE_URL`. Replay gives it none of them.
   */
  readonly modelEnv?: ModelEnv
  /** The folder that holds one folder per scenario, relative to the file. Default `tests/snapshots`. */
  readonly scenariosDir?: string
  /** Replacements for what varies from run to run, in what is compared and in what is written. */
  readonly normalise?: readonly NormaliseRule[]
  /** Bound on a run whose scenario names none, in milliseconds. Default 60,000. */
  readonly timeoutMs?: number
  /** What becomes of a tool in replay where the scenario does not say. Default: it runs. */
  readonly tools?: Readonly<Record<string, ToolPolicy>>
  /** How many scenarios run at a time. Default: Vitest's `maxConcurrency`; one per processor. */
  readonly concurrency?: number
  /**
   * How people call the tier in this project; stands in the words of a red. `{mode}` is the mode
   * (`npx dsh-acp-snapshot {mode}`); where that is not in it, `:refresh` or `:record` is put after.
   */
  readonly invocation?: string
}

/** A config file, read and checked: its paths are absolute. */
export interface Project extends ProjectConfig {
  readonly scenariosDir: string
  readonly invocation: string
}
