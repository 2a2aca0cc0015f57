import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { didYouMean } from 'dsh-brand'
import { SnapshotError } from '../error.ts'
import { readText } from '../files/regular-file.ts'
import {
  classify,
  FIXED,
  INPUT_FILE,
  logFileName,
  overrideFileName,
  STDOUT_FILE,
  SYSTEM_FILE,
  TOOLS_FILE,
  WIRE_FILE,
  WORKSPACE_DIR,
} from './files.ts'
import { checkJson, checkLines, checkLogs, type FixtureText } from './fixtures.ts'
import { parseInput } from './input.ts'
import { listScenarios } from './list.ts'
import { scenarioScripts } from './scripts.ts'
import type { Scenario, ScenarioInput } from './types.ts'
import { checkWorkspace } from './workspace.ts'
import type { Invocation } from '../verdict/types.ts'

/** What a scenario is loaded for. */
export interface LoadOptions {
  /**
   * What the folder is loaded for. A recording is about to write the logs, so they need not be there
   * nor be readable; a replay needs them whole. In a folder of another program files may lie that
   * mean nothing here. Default `replay`.
   */
  readonly purpose?: 'replay' | 'record' | 'conformance'
  /** How scenarios are recorded here; stands in the words about one that never was. */
  readonly invocation?: Invocation
  /** What the scenario is called, where its folder has another name. */
  readonly name?: string
  /** Ends the reading early; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

interface Found {
  readonly dirs: ReadonlySet<string>
  readonly files: ReadonlySet<string>
}

/**
 * Finds a scenario folder whole, and reads all of it once: what is wrong with a file must show here,
 * with its place, and not in an agent that falls over it.
 * @throws SnapshotError `BAD_SCENARIO` for a folder in which something is missing, orphaned or
 *   unknown; `BAD_INPUT` for its `input.json`; `BAD_FIXTURE` or `NOT_JSON` for its other files.
 */
export async function loadScenario(dir: string, options: LoadOptions = {}): Promise<Scenario> {
  const { signal } = options
  signal?.throwIfAborted()
  const root = resolve(dir)
  const { name = basename(root) } = options
  const found = await look(root, name)
  if (options.purpose !== 'conformance') refuseStrangers(found, name)
  if (!found.files.has(INPUT_FILE)) {
    throw bad(name, `${INPUT_FILE} is missing: it says what the client does`)
  }
  const read: Read = async (file) => {
    const named = join(name, file)
    return { name: named, text: await readText(join(root, file), { name: named, signal }) }
  }
  const inputFile = await read(INPUT_FILE)
  const input = parseInput(inputFile.text, inputFile.name)
  const recording = options.purpose === 'record'
  const logs = numbered(found, 'log')
  if (!recording) refuseGaps(logs, name, recordingAdvice(input, name, options.invocation))
  refuseOrphans(found, recording, name)
  refuseMismatch(found, input, name)
  const logFiles = logs.map((number) => join(root, logFileName(number)))
  if (found.dirs.has(WORKSPACE_DIR)) {
    await checkWorkspace(join(root, WORKSPACE_DIR), join(name, WORKSPACE_DIR))
  }
  if (found.files.has(WIRE_FILE)) checkJson(await read(WIRE_FILE))
  if (!recording) await checkCommitted(found, logs, read)
  const path = (file: string) => (found.files.has(file) ? join(root, file) : undefined)
  const [overrideFile, stdoutFile, wireFile] = [
    path(overrideFileName(0)),
    path(STDOUT_FILE),
    path(WIRE_FILE),
  ]
  const childOverrideFiles = Object.fromEntries(
    numbered(found, 'override')
      .filter((number) => number > 0)
      .map((number) => [number, join(root, overrideFileName(number))]),
  )
  const scenario: Scenario = {
    name,
    dir: root,
    input,
    logFiles,
    ...(overrideFile !== undefined && { overrideFile }),
    ...(Object.keys(childOverrideFiles).length > 0 && { childOverrideFiles }),
    ...(found.dirs.has(WORKSPACE_DIR) && { workspaceDir: join(root, WORKSPACE_DIR) }),
    ...(stdoutFile !== undefined && { stdoutFile }),
    ...(found.files.has(SYSTEM_FILE) && {
      pinnedHeader: { systemFile: join(root, SYSTEM_FILE), toolsFile: join(root, TOOLS_FILE) },
    }),
    ...(wireFile !== undefined && { wireFile }),
  }
  if (!recording) scenarioScripts(scenario)
  return scenario
}

type Read = (file: string) => Promise<FixtureText>

/** Everything that a replay answers from or compares with. */
async function checkCommitted(found: Found, logs: readonly number[], read: Read): Promise<void> {
  const texts: FixtureText[] = []
  for (const number of logs) texts.push(await read(logFileName(number)))
  checkLogs(texts)
  for (const number of numbered(found, 'override')) checkJson(await read(overrideFileName(number)))
  if (found.files.has(STDOUT_FILE)) checkLines(await read(STDOUT_FILE))
  for (const file of [SYSTEM_FILE, TOOLS_FILE]) if (found.files.has(file)) await read(file)
}

async function look(root: string, name: string): Promise<Found> {
  let entries
  try {
    entries = await readdir(root, { withFileTypes: true })
  } catch (cause) {
    const others = await listScenarios(dirname(root)).catch(() => [])
    const hint = didYouMean(name, others) || `; known here: ${others.join(', ') || 'none'}`
    throw new SnapshotError('BAD_SCENARIO', `no scenario folder "${name}"${hint} (${root})`, {
      cause,
    })
  }
  const seen = entries.filter((entry) => !entry.name.startsWith('.'))
  const dirs = seen.filter((entry) => entry.isDirectory())
  const files = seen.filter((entry) => !entry.isDirectory())
  return {
    dirs: new Set(dirs.map((entry) => entry.name)),
    files: new Set(files.map((entry) => entry.name)),
  }
}

function refuseStrangers({ dirs, files }: Found, name: string): void {
  for (const dir of dirs) {
    if (dir !== WORKSPACE_DIR) {
      const hint = didYouMean(dir, [WORKSPACE_DIR])
      throw bad(name, `unexpected folder "${dir}"${hint} (only ${WORKSPACE_DIR}/ may be here)`)
    }
  }
  for (const file of files) {
    if (file === WORKSPACE_DIR) throw bad(name, `${WORKSPACE_DIR} is a file, expected a folder`)
    if (classify(file) !== undefined) continue
    const hint = didYouMean(file, [...FIXED, logFileName(0), logFileName(1), overrideFileName(0)])
    throw bad(name, `unexpected file "${file}"${hint}; remove it or give it a name that counts`)
  }
}

function numbered({ files }: Found, kind: 'log' | 'override'): number[] {
  const numbers: number[] = []
  for (const file of files) {
    const what = classify(file)
    if (what?.kind === kind) numbers.push(what.number)
  }
  return numbers.sort((a, b) => a - b)
}

function recordingAdvice(
  { source }: ScenarioInput,
  name: string,
  invocation: Invocation | undefined,
): string {
  if (source === 'authored') return 'write it by hand, or give it a "source" to be recorded'
  return invocation === undefined
    ? 'record the scenario'
    : `record the scenario: ${invocation('record', [name])}`
}

function refuseGaps(logs: readonly number[], name: string, advice: string): void {
  if (logs[0] !== 0) throw bad(name, `${logFileName(0)} is missing; ${advice}`)
  logs.forEach((number, index) => {
    if (number === index) return
    const [missing, present] = [logFileName(index), logFileName(number)]
    throw bad(name, `${missing} is missing although ${present} is there: number without gaps`)
  })
}

function refuseOrphans(found: Found, recording: boolean, name: string): void {
  const last = numbered(found, 'log').length - 1
  for (const number of numbered(found, 'override')) {
    if (recording || found.files.has(logFileName(number))) continue
    throw bad(
      name,
      `${overrideFileName(number)} overrides ${logFileName(number)}, which is missing; ` +
        `the last log is ${logFileName(last)}, and its override would be ${overrideFileName(last)}`,
    )
  }
}

function refuseMismatch({ files }: Found, input: ScenarioInput, name: string): void {
  if (files.has(SYSTEM_FILE) !== files.has(TOOLS_FILE)) {
    const [there, missing] = files.has(SYSTEM_FILE)
      ? [SYSTEM_FILE, TOOLS_FILE]
      : [TOOLS_FILE, SYSTEM_FILE]
    throw bad(
      name,
      `${there} is there but ${missing} is not: a header is pinned whole or not at all`,
    )
  }
  if (input.source === 'wire' && !files.has(WIRE_FILE)) {
    throw bad(
      name,
      `${INPUT_FILE} says source "wire" but ${WIRE_FILE} is missing: write one, or name another source`,
    )
  }
  if (input.source !== 'wire' && files.has(WIRE_FILE)) {
    throw bad(
      name,
      `${WIRE_FILE} is there but ${INPUT_FILE} says source "${input.source}": remove it, or say "wire"`,
    )
  }
}

function bad(name: string, message: string): SnapshotError {
  return new SnapshotError('BAD_SCENARIO', `scenario ${name}: ${message}`)
}
