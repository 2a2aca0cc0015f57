import { sep } from 'node:path'
import { messageOf } from 'dsh-brand'
import { loadSessionScripts, type SessionScript } from 'dsh-llm-replay'
import { SnapshotError } from '../error.ts'
import type { Scenario } from './types.ts'

/** The overrides of children by the log that each is for, as replay takes them. */
export function childOverrides({
  logFiles,
  childOverrideFiles = {},
}: Pick<Scenario, 'logFiles' | 'childOverrideFiles'>): Record<string, string> {
  const overrides = Object.entries(childOverrideFiles)
  // A folder that is loaded for recording may hold overrides whose logs are not there yet.
  return Object.fromEntries(
    overrides.flatMap(([number, override]) => {
      const log = logFiles[Number(number)]
      return log === undefined ? [] : [[log, override]]
    }),
  )
}

/**
 * What the lanes of a scenario answer, as the replay in the agent will read them. Found here, a
 * mistake in a fixture is told by its name, before anything is started.
 * @throws SnapshotError `BAD_FIXTURE`
 */
export function scenarioScripts(
  scenario: Pick<
    Scenario,
    'name' | 'dir' | 'input' | 'logFiles' | 'overrideFile' | 'childOverrideFiles'
  >,
): SessionScript[] {
  const { name, dir, logFiles, overrideFile } = scenario
  const { requests } = scenario.input
  const [file, ...childFiles] = logFiles
  if (file === undefined) return []
  try {
    return loadSessionScripts({
      file,
      childFiles,
      childOverrideFiles: childOverrides(scenario),
      ...(overrideFile !== undefined && { overrideFile }),
      ...(requests !== undefined && { requests }),
    })
  } catch (cause) {
    const message = messageOf(cause).replaceAll(`${dir}${sep}`, `${name}${sep}`)
    throw new SnapshotError('BAD_FIXTURE', message.replace(/^llm-replay: /, ''), { cause })
  }
}
