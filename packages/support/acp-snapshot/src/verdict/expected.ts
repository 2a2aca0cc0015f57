import { basename } from 'node:path'
import { readText } from '../files/regular-file.ts'
import { type ExpectedLane, expectedLanes } from '../scenario/lanes.ts'
import type { Scenario } from '../scenario/types.ts'
import type { NamedLog } from './compare.ts'

/** What a scenario's folder says should come out, as committed. */
export interface Expected {
  readonly logs: readonly NamedLog[]
  /** The lanes that replay has to load; none where nothing is replayed. */
  readonly lanes: readonly ExpectedLane[]
  /** Absent before the first update. */
  readonly stdout?: string
  readonly pinned?: { readonly system: string; readonly tools: string }
}

/** Reads the expected texts of a scenario. Rejects if a file has gone since it was loaded. */
export async function readExpected(scenario: Scenario): Promise<Expected> {
  const logs = await Promise.all(
    scenario.logFiles.map(async (file) => ({
      name: basename(file),
      text: await readText(file),
    })),
  )
  const { stdoutFile, pinnedHeader } = scenario
  return {
    logs,
    lanes: expectedLanes(scenario),
    ...(stdoutFile !== undefined && { stdout: await readText(stdoutFile) }),
    ...(pinnedHeader !== undefined && {
      pinned: {
        system: await readText(pinnedHeader.systemFile),
        tools: await readText(pinnedHeader.toolsFile),
      },
    }),
  }
}
