import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach } from 'vitest'
import { runScenario } from '../../src/run/run-scenario.ts'
import type { HarvestedLog, RunDependencies, RunOptions, RunResult } from '../../src/run/types.ts'
import type { Scenario, ScenarioInput, Step } from '../../src/scenario/types.ts'

const agents = fileURLToPath(new URL('../agents/', import.meta.url))

/** A folder of the test's own, gone afterwards. */
export function useTempDir(): () => string {
  let dir = ''
  beforeEach(async () => {
    dir = await mkdtemp(path.join(os.tmpdir(), 'run-test-'))
  })
  afterEach(() => rm(dir, { recursive: true, force: true }))
  return () => dir
}

function agentCommand(file: string, ...args: string[]): [string, ...string[]] {
  return [process.execPath, path.join(agents, file), ...args]
}

export function scenario(
  steps: readonly Step[],
  input: Partial<ScenarioInput> = {},
  rest: Partial<Scenario> = {},
): Scenario {
  return {
    name: 'example',
    dir: '/scenarios/example',
    input: { source: 'authored', ...input, steps },
    logFiles: ['/scenarios/example/session.jsonl'],
    ...rest,
  }
}

export const open: readonly Step[] = [{ op: 'initialize' }, { op: 'newSession' }]
export const hello: Step = { op: 'prompt', text: 'hello' }

/** Every file below the root, by name. */
export async function harvest(root: string): Promise<HarvestedLog[]> {
  const names = (await readdir(root)).sort()
  return Promise.all(
    names.map(async (name) => ({
      path: name,
      text: await readFile(path.join(root, name), 'utf8'),
    })),
  )
}

export interface RunSetup {
  readonly agent: readonly [string, ...string[]]
  readonly scenario: Scenario
  readonly tempRoot: string
  readonly options?: Partial<RunOptions>
  readonly dependencies?: Partial<RunDependencies>
}

export function run(setup: RunSetup): Promise<RunResult> {
  const [file, ...args] = setup.agent
  return runScenario(
    {
      scenario: setup.scenario,
      agent: { command: agentCommand(file, ...args) },
      mode: 'replay',
      tempRoot: setup.tempRoot,
      timeoutMs: 15_000,
      ...setup.options,
    },
    { harvest, ...setup.dependencies },
  )
}

/** Waits for a file in the cwd of the only run below `root`. */
export async function folderWith(root: string, name: string): Promise<string> {
  for (;;) {
    for (const dir of await readdir(root)) {
      const files = await readdir(path.join(root, dir, 'cwd')).catch((): string[] => [])
      if (files.includes(name)) return path.join(root, dir)
    }
  }
}
