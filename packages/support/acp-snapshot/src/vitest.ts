import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, it, vi } from 'vitest'
import { SnapshotError } from './error.ts'
import { shareOf } from './project/part.ts'
import { checkConfig } from './project/schema.ts'
import type { ProjectConfig } from './project/types.ts'
import { installInterruptHandler } from './run/interrupt.ts'
import { defaultLimits, defaultTimeoutMs, endMs } from './run/limits.ts'
import { INPUT_FILE } from './scenario/files.ts'
import { parseInput } from './scenario/input.ts'
import { loadScenario } from './scenario/load.ts'
import { replayScenario } from './tier/replay.ts'
import { DEFAULT_INVOCATION, scriptInvocation } from './verdict/invocation.ts'
import { renderVerdict } from './verdict/render.ts'

export { loadConfig } from './project/load.ts'
export type { Project, ProjectConfig } from './project/types.ts'
export type { NormaliseRule } from 'dsh-llm-replay'

/**
 * What a project tells the suite about its agent and its scenarios: what `loadConfig` gives, or the
 * same by hand. Paths are absolute.
 */
export interface SnapshotSuiteOptions extends Omit<ProjectConfig, 'scenariosDir'> {
  /** The folder that holds one folder per scenario. */
  readonly scenariosDir: URL | string
  /**
   * Which share of the scenarios this file tests, as `1/2`. Vitest spreads files over shards and
   * workers, never the tests of one file: a file for each share spreads the scenarios. Default all.
   */
  readonly part?: string
  /** Where run folders are made. Default: the system's temp folder. */
  readonly tempRoot?: string
  /** Leave the folder of a red run for people to look into. Default true. */
  readonly keepFailed?: boolean
}

/**
 * Declares one Vitest test per scenario folder, each replayed in a process and a folder of its own,
 * side by side as far as `concurrency` or the runner allows. Vitest's own filters, shards and
 * reporters apply. Nothing is ever written.
 * @throws SnapshotError `BAD_CONFIG` for options that cannot be any, and for a share without scenarios
 */
export function snapshotSuite(options: SnapshotSuiteOptions): void {
  const { scenariosDir, part, concurrency } = options
  const root = typeof scenariosDir === 'string' ? scenariosDir : fileURLToPath(scenariosDir)
  checkOptions(options, root)
  const names = namesIn(root, part)
  // For the tests of this file, which is what Vitest counts too.
  if (concurrency !== undefined) vi.setConfig({ maxConcurrency: concurrency })
  const frame = callerFrame()
  const said = new Set<string>()
  describe.concurrent('snapshots', () => {
    for (const name of names) {
      const dir = join(root, name)
      it(name, { timeout: testTimeout(dir, options.timeoutMs) }, async ({ signal }) => {
        for (const notice of await expectGreen(dir, options, signal, frame)) {
          if (said.has(notice)) continue
          said.add(notice)
          process.stderr.write(`snapshots: ${notice}\n`)
        }
      })
    }
  })
}

/** Before any agent is started: a mistake in the options is one failure, not one per scenario. */
function checkOptions(options: SnapshotSuiteOptions, scenariosDir: string): void {
  const { part: _part, tempRoot: _temp, keepFailed: _keep, ...config } = options
  checkConfig({ ...config, scenariosDir }, 'snapshotSuite')
}

function namesIn(root: string, part: string | undefined): string[] {
  const names = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort()
  const own = part === undefined ? names : shareOf(names, part)
  if (own.length > 0) return own
  const share = part === undefined ? '' : ` for the share ${part}`
  throw new SnapshotError('BAD_CONFIG', `no scenario folder${share} in ${root}`)
}

/** Where the suite is declared, as a line of a stack: reporters point people there. */
function callerFrame(): string | undefined {
  // The message, this function, the suite, and then whoever called that.
  return String(new Error('where').stack).split('\n')[3]
}

/**
 * Above everything that a run may take by its own bounds: a test that times out first would leave
 * the agent, and its folder, to themselves.
 */
export function testTimeout(dir: string, timeoutMs: number = defaultTimeoutMs): number {
  return (ownTimeout(dir) ?? timeoutMs) + endMs(defaultLimits) + MARGIN_MS
}

/** For what is no part of a run: reading the folder, comparing, and a machine that is busy. */
const MARGIN_MS = 10_000

/** The bound that a scenario names. What cannot be read is told by its test, not here. */
function ownTimeout(dir: string): number | undefined {
  const file = join(dir, INPUT_FILE)
  try {
    if (!statSync(file).isFile()) return undefined
    return parseInput(readFileSync(file, 'utf8'), file).timeoutMs
  } catch {
    return undefined
  }
}

/**
 * Ctrl-C reaches a worker of Vitest as well as Vitest itself. The worker would die of it before it
 * hears that the run is cancelled, and leave the run's folder behind.
 */
async function interruptible<T>(
  given: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const interrupt = installInterruptHandler(process)
  const { signal, abort } = interrupt
  given?.addEventListener('abort', abort)
  if (given?.aborted === true) abort()
  try {
    return await run(signal)
  } finally {
    given?.removeEventListener('abort', abort)
    interrupt.dispose()
  }
}

/**
 * Replays one scenario folder.
 * @returns what people have to know though it is green
 * @param frame where reporters point to, as a line of a stack
 * @throws an error whose whole text is the verdict, where it is red; SnapshotError for a folder that
 *   cannot be read.
 */
export async function expectGreen(
  dir: string,
  options: SnapshotSuiteOptions,
  signal?: AbortSignal,
  frame?: string,
): Promise<readonly string[]> {
  const { command, env, invocation, scenariosDir: _dir, part: _part, ...more } = options
  // Replay gives the agent no model.
  const { concurrency: _atATime, modelEnv: _model, ...tier } = more
  const agent = { command, ...(env !== undefined && { env }) }
  const words = { invocation: scriptInvocation(invocation ?? DEFAULT_INVOCATION) }
  const { verdict } = await interruptible(signal, async (either) =>
    replayScenario(await loadScenario(dir, { signal: either, ...words }), {
      ...tier,
      agent,
      signal: either,
      ...words,
    }),
  )
  if (verdict.status === 'passed') return verdict.notices
  const text = renderVerdict(verdict, words)
  const failure = new Error(text)
  // A stack of the harness would only hide the verdict.
  failure.stack = frame === undefined ? text : `${text}\n${frame}`
  throw failure
}
