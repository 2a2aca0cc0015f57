import path from 'node:path'
import type { NormaliseRule } from 'dsh-llm-replay'
import { childOverrides } from '../scenario/scripts.ts'
import type { Scenario } from '../scenario/types.ts'
import { defaultModelEnv, keysOf } from './model-env.ts'
import type { AgentCommand, RunFolder, SnapshotMode } from './types.ts'

/** Marks every process of one run, however it was started and wherever it went. */
export const runVariable = 'DSH_SNAPSHOT_RUN'

/**
 * Set for the conformance run: the agent is to behave, and to log, as the programs do whose
 * recordings it replays, which know no retries and no `llm/failure`.
 */
export const conformanceVariable = 'DSH_SNAPSHOT_CONFORMANCE'

/** All that the environment of an agent depends on. */
export interface EnvironmentInput {
  readonly scenario: Scenario
  readonly mode: SnapshotMode
  readonly folder: RunFolder
  readonly runId: string
  /** How many root sessions the processes before this one have opened: their numbers go on. */
  readonly roots: number
  readonly agent: AgentCommand
  /** A project's own replacements. */
  readonly rules?: readonly NormaliseRule[]
  readonly hostEnv: Readonly<Record<string, string | undefined>>
}

/**
 * The whole environment of an agent process. Only what is named here reaches it: a run must not
 * depend on the machine, and a stray key must not make a replay go live.
 */
export function agentEnvironment(input: EnvironmentInput): Record<string, string> {
  const { folder, hostEnv } = input
  const { modelEnv = defaultModelEnv } = input.agent
  return {
    ...taken(hostEnv, 'PATH'),
    HOME: folder.home,
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    DSH_SNAPSHOT: input.mode,
    DSH_SNAPSHOT_FILE: primaryFile(input.scenario),
    DSH_SNAPSHOT_SESSIONS_ROOT: folder.sessionsRoot,
    [runVariable]: input.runId,
    ...(input.roots === 0 ? {} : { DSH_SNAPSHOT_FIRST_ROOT: String(input.roots) }),
    ...(input.mode === 'replay'
      ? replayVariables(input)
      : taken(hostEnv, ...keysOf(modelEnv), modelEnv.baseUrl)),
    ...input.agent.env,
  }
}

/** A scenario that is recorded for the first time has no log yet: this is where it will be. */
function primaryFile(scenario: Scenario): string {
  return scenario.logFiles[0] ?? path.join(scenario.dir, 'session.jsonl')
}

function replayVariables({
  scenario,
  folder,
  rules = [],
}: EnvironmentInput): Record<string, string> {
  const children = scenario.logFiles.slice(1)
  const { tools, requests } = scenario.input
  const overrides = childOverrides(scenario)
  return {
    DSH_SNAPSHOT_REPORT: folder.reportFile,
    ...(scenario.overrideFile === undefined
      ? {}
      : { DSH_SNAPSHOT_OVERRIDE: scenario.overrideFile }),
    ...(children.length === 0 ? {} : { DSH_SNAPSHOT_CHILD_FILES: children.join(path.delimiter) }),
    ...(Object.keys(overrides).length === 0
      ? {}
      : { DSH_SNAPSHOT_CHILD_OVERRIDES: JSON.stringify(overrides) }),
    ...(requests === undefined ? {} : { DSH_SNAPSHOT_REQUESTS: requests }),
    // Nothing else in the agent has use for them.
    ...(requests !== 'strict' || rules.length === 0
      ? {}
      : { DSH_SNAPSHOT_NORMALISE: JSON.stringify(rules.map(plainRule)) }),
    ...(tools === undefined ? {} : { DSH_SNAPSHOT_TOOLS: JSON.stringify(tools) }),
  }
}

function plainRule({ pattern, token }: NormaliseRule): object {
  if (typeof pattern === 'string') return { pattern, token }
  return { pattern: pattern.source, flags: pattern.flags, token }
}

function taken(
  hostEnv: Readonly<Record<string, string | undefined>>,
  ...names: readonly string[]
): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of names) {
    const value = hostEnv[name]
    if (value !== undefined && value !== '') found[name] = value
  }
  return found
}
