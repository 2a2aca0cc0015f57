import { type Clock, systemClock } from 'dsh-brand'
import { DEFAULT_SESSION_HEADER } from 'dsh-llm-wire'
import { SnapshotError } from '../error.ts'
import { replayedCommands, type ReplayedCommand } from '../record/commands.ts'
import { recordedFixtures } from '../record/fixtures.ts'
import { blameFor, lostCalls, modelProblems } from '../record/model-problem.ts'
import {
  embeddedModel,
  type ModelCommand,
  type WireEnd,
  WireProcess,
} from '../record/wire-process.ts'
import { Workbench } from '../record/workbench.ts'
import { defaultModelEnv, keyMissing, keysOf } from '../run/model-env.ts'
import type { ModelEnv, RunDependencies, RunFolder, RunResult } from '../run/types.ts'
import { logFileName } from '../scenario/files.ts'
import type { Scenario } from '../scenario/types.ts'
import { judge, wasInterrupted } from '../verdict/judge.ts'
import { normaliseRun } from '../verdict/normal-run.ts'
import type { Verdict } from '../verdict/types.ts'
import { capture } from './capture.ts'
import { withDefaults } from './defaults.ts'
import { publish } from './publish.ts'
import type { TierOptions } from './types.ts'

/** How a scenario is recorded. */
export interface RecordOptions extends TierOptions {
  /** A folder that receives a whole copy of the scenario; its own folder is left as it is. */
  readonly out?: string
  /** The host's environment: PATH, the endpoint and its key, and values that are secrets. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Program and arguments of the embedded model. Default: `dsh-llm-wire`. */
  readonly model?: ModelCommand
  /** For the embedded model's start and end. Default: the clock of the machine. */
  readonly clock?: Clock
}

/** What became of a recording. */
export interface RecordOutcome {
  readonly scenario: string
  readonly status: 'recorded' | 'failed'
  /** Names of the files whose bytes changed; empty where nothing did. */
  readonly written: readonly string[]
  /** What replay will run in a shell. */
  readonly commands: readonly string[]
  /** Why nothing was written, most telling first. */
  readonly problems: readonly string[]
  /** Of the recording where that failed, else of the replay that proved it. */
  readonly verdict?: Verdict
  /** How long the agent ran for the recording. */
  readonly durationMs: number
  /** The folder of the recording's run, kept on failure. */
  readonly runDir?: string
}

/** The adapter wants a key; the embedded model takes any. */
const NO_KEY = 'embedded-model'

/**
 * Runs the agent once with its real adapter, and puts what it said and wrote into the scenario's
 * folder in normal form, once that has replayed green. The transcript is the recording's own, so
 * that the replay proves it too. On any failure the folder stays as it is.
 *
 * A `wire` scenario is answered by the embedded model, a process and a port of its own; an `api`
 * scenario by the endpoint of the environment, and never by anything else.
 * @throws SnapshotError `BAD_MODE` for an authored scenario, and for `api` without a key; `BUSY`
 *   and `CANNOT_WRITE` before any model was asked; `BAD_MODEL` where the embedded model cannot run
 */
export async function recordScenario(
  given: Scenario,
  options: RecordOptions,
): Promise<RecordOutcome> {
  const scenario = withDefaults(given, options)
  const env = options.env ?? process.env
  const { modelEnv = defaultModelEnv } = options.agent
  refuseSource(scenario, env, modelEnv)
  const { out } = options
  const bench = await Workbench.open(scenario, out === undefined ? {} : { out })
  try {
    const { result, end } = await ask(scenario, options, env, modelEnv)
    let keep = false
    try {
      const outcome = await settle(scenario, bench, options, env, result, end)
      keep = outcome.status === 'failed' && options.keepFailed !== false && !wasInterrupted(result)
      return keep ? { ...outcome, runDir: result.folder.dir } : outcome
    } finally {
      if (!keep) await result.dispose()
    }
  } finally {
    await bench.close()
  }
}

function refuseSource(
  { name, input }: Scenario,
  env: NonNullable<RecordOptions['env']>,
  modelEnv: ModelEnv,
): void {
  if (input.source === 'authored') {
    throw new SnapshotError('BAD_MODE', `scenario ${name} is authored by hand, never recorded`)
  }
  const missing = input.source === 'wire' ? undefined : keyMissing(modelEnv, env)
  if (missing !== undefined) throw new SnapshotError('BAD_MODE', `scenario ${name} is ${missing}`)
}

interface Asked {
  readonly result: RunResult
  /** Of the embedded model, where that answered. */
  readonly end?: WireEnd
}

async function ask(
  scenario: Scenario,
  options: RecordOptions,
  hostEnv: NonNullable<RecordOptions['env']>,
  modelEnv: ModelEnv,
): Promise<Asked> {
  const { wireFile } = scenario
  if (wireFile === undefined) {
    return { result: await capture(scenario, 'record', options, { hostEnv }) }
  }
  let end: WireEnd | undefined
  const model: RunDependencies['model'] = async ({ cwd }: RunFolder) => {
    const command = options.model ?? embeddedModel()
    const clock = options.clock ?? systemClock
    const wire = await WireProcess.start({ command, script: wireFile, cwd, clock })
    return {
      env: {
        [modelEnv.baseUrl]: wire.url,
        ...Object.fromEntries(keysOf(modelEnv).map((name) => [name, NO_KEY])),
        // Identical siblings can be told apart by who calls, and by nothing else.
        DSH_SNAPSHOT_SESSION_HEADER: DEFAULT_SESSION_HEADER,
      },
      end: async () => {
        end = await wire.end()
      },
    }
  }
  const result = await capture(scenario, 'record', options, { hostEnv, model })
  return { result, end: end as WireEnd }
}

async function settle(
  scenario: Scenario,
  bench: Workbench,
  options: RecordOptions,
  env: NonNullable<RecordOptions['env']>,
  result: RunResult,
  end: WireEnd | undefined,
): Promise<RecordOutcome> {
  const pinned = scenario.pinnedHeader !== undefined
  const normal = normaliseRun(result, { pinHeader: pinned, rules: options.normalise ?? [] })
  const logs = normal.logs.map(({ text }, index) => ({ name: logFileName(index), text }))
  const commands = replayedCommands(logs, scenario.input)
  const facts = {
    scenario: scenario.name,
    commands: [...new Set(commands.map(({ command }) => command))],
    durationMs: result.durationMs,
  }
  const failed = (problems: readonly string[], verdict?: Verdict): RecordOutcome => {
    return { ...facts, status: 'failed', written: [], problems, ...(verdict && { verdict }) }
  }
  const recording = judge(scenario, { logs: [], lanes: [] }, result)
  if (recording.status === 'failed') {
    const { problems, verdict } = blameFor(end, recording)
    return failed(problems, verdict)
  }
  const fromModel = end === undefined ? [] : modelProblems(end)
  if (fromModel.length > 0) return failed(fromModel)
  const guarded = commands.flatMap(describeCommand)
  if (guarded.length > 0) return failed(guarded)
  const publication = await publish(
    bench,
    {
      files: recordedFixtures(normal, pinned),
      logs: 'replaced',
      env,
      // With a sidecar the logs are not what replay answers from.
      check: (proof) =>
        end === undefined || hasSidecar(scenario)
          ? undefined
          : lostCalls(
              end,
              proof.lanes.reduce((sum, { served }) => sum + served, 0),
            ),
    },
    options,
  )
  if (publication.kind === 'withheld') return failed([publication.problem], publication.proof)
  const { written, proof } = publication
  return { ...facts, status: 'recorded', written, problems: [], verdict: proof }
}

function describeCommand({ file, command, problems }: ReplayedCommand): string[] {
  if (problems.length === 0) return []
  const why = problems.map(({ reason }) => reason).join(', ')
  const names = problems.map(({ name }) => JSON.stringify(name)).join(', ')
  return [
    `replay would run ${JSON.stringify(command)} (${file}): ${why}; ` +
      `prompt for something else, or add ${names} to allowCommands in input.json`,
  ]
}

function hasSidecar({ overrideFile, childOverrideFiles }: Scenario): boolean {
  return overrideFile !== undefined || childOverrideFiles !== undefined
}
