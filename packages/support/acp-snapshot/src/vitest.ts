import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, it } from 'vitest'
import { installInterruptHandler } from './run/interrupt.ts'
import { defaultLimits, defaultTimeoutMs, endMs } from './run/limits.ts'
import { INPUT_FILE } from './scenario/files.ts'
import { parseInput } from './scenario/input.ts'
import { loadScenario } from './scenario/load.ts'
import { replayScenario } from './tier/replay.ts'
import type { TierOptions } from './tier/types.ts'
import { renderVerdict } from './verdict/render.ts'

/** What a project tells the suite about its agent and its scenarios. */
export interface SnapshotSuiteOptions extends Omit<TierOptions, 'agent' | 'signal'> {
  /** The folder that holds one folder per scenario. */
  readonly scenariosDir: URL | string
  /** Program and arguments of the agent; paths in it are absolute. */
  readonly command: readonly [string, ...string[]]
  /** Added to the agent's scrubbed environment. */
  readonly env?: Readonly<Record<string, string>>
  /** How people call the tier in this project; stands in the words of a red. */
  readonly invocation?: string
}

/**
 * Declares one Vitest test per scenario folder, each replayed in a process and a folder of its own,
 * side by side as far as the runner allows. Vitest's own filters, shards and reporters apply.
 * Nothing is ever written.
 */
export function snapshotSuite(options: SnapshotSuiteOptions): void {
  const { scenariosDir } = options
  const root = typeof scenariosDir === 'string' ? scenariosDir : fileURLToPath(scenariosDir)
  const names = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort()
  if (names.length === 0) throw new Error(`no scenario folder in ${root}`)
  const said = new Set<string>()
  describe.concurrent('snapshots', () => {
    for (const name of names) {
      const dir = join(root, name)
      it(name, { timeout: testTimeout(dir, options.timeoutMs) }, async ({ signal }) => {
        for (const notice of await expectGreen(dir, options, signal)) {
          if (said.has(notice)) continue
          said.add(notice)
          process.stderr.write(`snapshots: ${notice}\n`)
        }
      })
    }
  })
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
 * @throws an error whose whole text is the verdict, where it is red; SnapshotError for a folder that
 *   cannot be read.
 */
export async function expectGreen(
  dir: string,
  options: SnapshotSuiteOptions,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const { scenariosDir: _root, command, env, invocation, ...tier } = options
  const agent = { command, ...(env !== undefined && { env }) }
  const { verdict } = await interruptible(signal, async (either) =>
    replayScenario(await loadScenario(dir, { signal: either }), { ...tier, agent, signal: either }),
  )
  if (verdict.status === 'passed') return verdict.notices
  const text = renderVerdict(verdict, invocation === undefined ? {} : { command: invocation })
  const failure = new Error(text)
  // A stack of the harness would only hide the verdict.
  failure.stack = text
  throw failure
}
