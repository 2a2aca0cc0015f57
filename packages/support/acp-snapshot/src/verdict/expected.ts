import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Scenario } from '../scenario/types.ts'
import type { NamedLog } from './compare.ts'

/** What a scenario's folder says should come out, as committed. */
export interface Expected {
  readonly logs: readonly NamedLog[]
  /** Absent before the first update. */
  readonly stdout?: string
  readonly pinned?: { readonly system: string; readonly tools: string }
}

/** Reads the expected texts of a scenario. Rejects if a file has gone since it was loaded. */
export async function readExpected(scenario: Scenario): Promise<Expected> {
  const logs = await Promise.all(
    scenario.logFiles.map(async (file) => ({
      name: basename(file),
      text: await readFile(file, 'utf8'),
    })),
  )
  const { stdoutFile, pinnedHeader } = scenario
  return {
    logs,
    ...(stdoutFile !== undefined && { stdout: await readFile(stdoutFile, 'utf8') }),
    ...(pinnedHeader !== undefined && {
      pinned: {
        system: await readFile(pinnedHeader.systemFile, 'utf8'),
        tools: await readFile(pinnedHeader.toolsFile, 'utf8'),
      },
    }),
  }
}
