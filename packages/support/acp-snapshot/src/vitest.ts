import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, it } from 'vitest'
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
  describe.concurrent('snapshots', () => {
    it.each(names)('%s', (name) => expectGreen(join(root, name), options))
  })
}

/**
 * Replays one scenario folder.
 * @throws an error whose whole text is the verdict, where it is red; SnapshotError for a folder that
 *   cannot be read.
 */
export async function expectGreen(dir: string, options: SnapshotSuiteOptions): Promise<void> {
  const { scenariosDir: _root, command, env, invocation, ...tier } = options
  const agent = { command, ...(env !== undefined && { env }) }
  const { verdict } = await replayScenario(await loadScenario(dir), { ...tier, agent })
  if (verdict.status === 'passed') return
  const text = renderVerdict(verdict, invocation === undefined ? {} : { command: invocation })
  const failure = new Error(text)
  // A stack of the harness would only hide the verdict.
  failure.stack = text
  throw failure
}
