import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { didYouMean, messageOf } from 'dsh-brand'
import { deriveCalls, type DeriveOptions, ownEvents } from './derive.ts'
import { ReplayError } from './error.ts'
import { orderLanes } from './order.ts'
import { parseOverride, patchedEntries } from './override.ts'
import { parseSessionHeader, readSessionLog } from './parse.ts'
import { recordedRequests } from './requests/recorded.ts'
import { deriveToolCalls } from './tool-calls.ts'
import type { ReplayConfig, ReplayEntry, SessionScript } from './types.ts'

/** The part of a configuration that names fixtures. */
export type FixtureFiles = Pick<
  ReplayConfig,
  'file' | 'overrideFile' | 'childFiles' | 'childOverrideFiles' | 'requests'
>

/**
 * Reads every fixture of a scenario: the primary first, then the others by lineage where every one
 * has it, else by `createdAt`, by id where that ties. Where requests are strict, each says what its
 * calls asked for.
 * @throws ReplayError `FIXTURE_NOT_FOUND`, `FIXTURE_INVALID`, `OVERRIDE_INVALID`
 */
export function loadSessionScripts(config: FixtureFiles): SessionScript[] {
  const { file, childFiles = [] } = config
  const seen = new Set<string>()
  for (const path of [file, ...childFiles]) {
    const absolute = resolve(path)
    if (seen.has(absolute)) {
      throw new ReplayError(
        'FIXTURE_INVALID',
        `the fixture ${path} is given twice; every recorded session is one file, given once`,
      )
    }
    seen.add(absolute)
  }
  const overrides = overridesByLog(config, seen)
  const strict = config.requests === 'strict'
  const load = (path: string, override: string | undefined): SessionScript =>
    loadSession(path, override, strict)
  const children = childFiles.map((path) => load(path, overrides.get(resolve(path))))
  return orderLanes(load(file, config.overrideFile), children)
}

/** A sidecar that is for no child would be a script that is never served, and nobody told. */
function overridesByLog(
  { file, childFiles = [], childOverrideFiles = {} }: FixtureFiles,
  logs: ReadonlySet<string>,
): Map<string, string> {
  const overrides = new Map<string, string>()
  for (const [log, override] of Object.entries(childOverrideFiles)) {
    const path = resolve(log)
    const problem = !logs.has(path)
      ? `which is none of the logs of children that are given${nearest(log, childFiles)}`
      : path === resolve(file)
        ? 'which is the log of the primary session; its override is "overrideFile"'
        : overrides.has(path)
          ? `which has an override already: ${overrides.get(path)}`
          : undefined
    if (problem !== undefined) {
      throw new ReplayError('OVERRIDE_INVALID', `${override} is for ${log}, ${problem}`)
    }
    overrides.set(path, override)
  }
  return overrides
}

function nearest(log: string, given: readonly string[]): string {
  return didYouMean(log, given) || ` (${given.join(', ') || 'none'})`
}

/**
 * Reads what the primary session answers: its override where there is one, else what its log holds.
 * @throws ReplayError like `loadSessionScripts`
 */
export function loadReplayScript(
  config: Pick<FixtureFiles, 'file' | 'overrideFile'>,
): readonly ReplayEntry[] {
  return loadSession(config.file, config.overrideFile, false).entries
}

function loadSession(
  file: string,
  overrideFile: string | undefined,
  strict: boolean,
): SessionScript {
  if (overrideFile === undefined) return loadDerived(file, strict)
  // The log of a call that failed or hung may be unfinished: nothing but its header is read.
  const header = parseSessionHeader(readFixture(file, 'fixture'), file)
  const sidecar = parseOverride(readFixture(overrideFile, 'override'), overrideFile)
  if (sidecar.kind === 'script') {
    const { entries } = sidecar
    if (strict && entries.length > 0) {
      throw new ReplayError(
        'OVERRIDE_INVALID',
        `${overrideFile} replaces every call of ${file}, so nothing says what they asked for; ` +
          'replace single calls by patches, record what happens instead, or take "requests": "strict" from the scenario',
      )
    }
    return { file, header, entries, positions: [], toolCalls: [] }
  }
  const patched = (calls: number): ReadonlyMap<number, ReplayEntry> =>
    patchedEntries(sidecar.patches, calls, { file: overrideFile, log: file })
  return loadDerived(file, strict, { patched })
}

function loadDerived(
  file: string,
  strict: boolean,
  options: Pick<DeriveOptions, 'patched'> = {},
): SessionScript {
  const text = readFixture(file, 'fixture')
  const header = parseSessionHeader(text, file)
  const lines = readSessionLog(text, file)
  const events = [...lines.keys()]
  const seedLength = header.seedLength ?? 0
  if (seedLength > events.length) {
    throw new ReplayError(
      'FIXTURE_INVALID',
      `${file}:1: the header says that ${seedLength} events were inherited (seedLength), but the log holds ${events.length}`,
    )
  }
  const own = ownEvents(events, header)
  const calls = deriveCalls(own, file, { lines, ...options })
  const positions = calls.map((call) => call.position)
  return {
    file,
    header,
    entries: calls.map((call) => call.entry),
    positions,
    toolCalls: deriveToolCalls(own),
    ...(strict ? { requests: recordedRequests({ file, header, lines }, positions) } : {}),
  }
}

/** A sidecar is written by hand, and so is its name. */
function beside(path: string): string {
  const dir = dirname(path)
  const names = existsSync(dir) ? readdirSync(dir) : []
  return didYouMean(basename(path), names)
}

function readFixture(path: string, what: 'fixture' | 'override'): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      const advice =
        what === 'fixture'
          ? '. Record the scenario, or correct the path.'
          : `${beside(path) || '.'} Correct the path.`
      throw new ReplayError('FIXTURE_NOT_FOUND', `${what} not found: ${path}${advice}`)
    }
    throw new ReplayError('FIXTURE_INVALID', `cannot read ${what} ${path}: ${messageOf(error)}`)
  }
  if (bytes.length === 0) throw new ReplayError('FIXTURE_INVALID', `${what} is empty: ${path}`)
  try {
    // A lenient decoder would turn damage into other text.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new ReplayError('FIXTURE_INVALID', `${what} is not valid UTF-8: ${path}`)
  }
}
