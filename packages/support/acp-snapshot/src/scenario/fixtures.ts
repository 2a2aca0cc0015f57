import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { SnapshotError } from '../error.ts'
import { type LogHeader, readHeader } from '../log/header.ts'
import { isFields, parseLine, splitLines } from '../log/lines.ts'

/**
 * Reads every log of a scenario to its last line: what cannot be read whole would be a recording
 * that silently lost something.
 * @throws SnapshotError `BAD_FIXTURE` or `NOT_JSON`, naming the file and the line.
 */
export async function checkFixtures(files: readonly string[], scenario: string): Promise<void> {
  const headers = new Map<string, LogHeader>()
  for (const file of files) {
    const name = join(scenario, basename(file))
    const text = await readFile(file, 'utf8')
    const header = readHeader(text, name)
    checkLines(text, name)
    checkFamily(header, name, headers)
    headers.set(name, header)
  }
}

function checkLines(text: string, name: string): void {
  splitLines(text).forEach((line, index) => {
    const value = parseLine(line, index + 1, name)
    if (isFields(value) && typeof value['type'] === 'string') return
    throw new SnapshotError(
      'BAD_FIXTURE',
      `${name}: line ${index + 1} is no event: expected an object with a "type"`,
    )
  })
}

function checkFamily(
  header: LogHeader,
  name: string,
  before: ReadonlyMap<string, LogHeader>,
): void {
  const { id, parentSession } = header
  const earlier = [...before].find(([, other]) => other.id === id)?.[0]
  if (earlier !== undefined) {
    throw new SnapshotError('BAD_FIXTURE', `${name}: has the session id of ${earlier}: ${id}`)
  }
  if (before.size === 0 && parentSession !== undefined) {
    throw new SnapshotError(
      'BAD_FIXTURE',
      `${name}: the primary log is a child's (parentSession ${parentSession}); are two files swapped?`,
    )
  }
  if (parentSession === undefined) return
  const parents = [...before.values()]
  if (parents.some((other) => other.id === parentSession)) return
  throw new SnapshotError(
    'BAD_FIXTURE',
    `${name}: its parent ${parentSession} has no log before it; number the logs parents first`,
  )
}
