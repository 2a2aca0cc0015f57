import { SnapshotError } from '../error.ts'
import { sessionToken } from '../normalise/tokens.ts'
import { logFileName, STDOUT_FILE, SYSTEM_FILE, TOOLS_FILE } from '../scenario/files.ts'
import type { NormalRun } from '../verdict/normal-run.ts'
import { pinnedHeader } from '../verdict/pinned.ts'

/** What stands for the primary's log where no session had a turn: a script without calls. */
const NO_CALLS: string = `${JSON.stringify({
  type: 'session',
  version: 0,
  id: sessionToken(0),
  createdAt: 0,
  cwd: '{{cwd}}',
})}\n`

/** A run's logs as a scenario folder holds them, by file name. */
export function logFixtures(normal: NormalRun): Map<string, string> {
  const files = new Map(normal.logs.map(({ text }, index) => [logFileName(index), text]))
  return files.size === 0 ? new Map([[logFileName(0), NO_CALLS]]) : files
}

export function stdoutFixture(normal: NormalRun): Map<string, string> {
  return new Map([[STDOUT_FILE, normal.stdout.map((line) => `${line}\n`).join('')]])
}

/**
 * The readable request header of the primary.
 * @throws SnapshotError `BAD_SCENARIO` where no request was made.
 */
export function headerFixtures(normal: NormalRun): Map<string, string> {
  const header = pinnedHeader(normal.logs[0]?.text ?? '')
  if (header === undefined) {
    throw new SnapshotError(
      'BAD_SCENARIO',
      `${SYSTEM_FILE} and ${TOOLS_FILE} pin the first request of the primary session, but it makes none`,
    )
  }
  return new Map([
    [SYSTEM_FILE, header.system],
    [TOOLS_FILE, header.tools],
  ])
}

/** Everything that a recording writes. */
export function recordedFixtures(normal: NormalRun, pinned: boolean): Map<string, string> {
  const header = pinned ? headerFixtures(normal) : []
  return new Map([...logFixtures(normal), ...stdoutFixture(normal), ...header])
}
