import type { SpawnedBy } from 'dsh-session'
import { SnapshotError } from '../error.ts'
import { isFields, parseLine, splitLines } from './lines.ts'

/** What the order and the names of a scenario's sessions are decided from. */
export interface LogHeader {
  readonly id: string
  readonly createdAt: number
  readonly cwd?: string
  readonly parentSession?: string
  readonly seedLength?: number
  readonly spawnedBy?: SpawnedBy
  readonly root?: number
}

/**
 * Line 0 of a log. Hand-written headers may lack `version`; `id` and `createdAt` they must have.
 * @throws SnapshotError `BAD_FIXTURE` naming the file and what is wrong, `NOT_JSON`.
 */
export function readHeader(text: string, file: string): LogHeader {
  const line = splitLines(text)[0]
  if (line === undefined) {
    throw new SnapshotError('BAD_FIXTURE', `${file}: empty, expected a session header on line 1`)
  }
  const value = parseLine(line, 1, file)
  if (!isFields(value) || value['type'] !== 'session') {
    throw new SnapshotError(
      'BAD_FIXTURE',
      `${file}: line 1 is not a session header (expected "type":"session")`,
    )
  }
  const { id, createdAt, cwd, parentSession, seedLength, spawnedBy, root } = value
  if (typeof id !== 'string' || id === '') {
    throw new SnapshotError('BAD_FIXTURE', `${file}: line 1: id: expected a non-empty string`)
  }
  if (typeof createdAt !== 'number') {
    throw new SnapshotError('BAD_FIXTURE', `${file}: line 1: createdAt: expected a number`)
  }
  return {
    id,
    createdAt,
    ...(typeof cwd === 'string' && { cwd }),
    ...(typeof parentSession === 'string' && { parentSession }),
    ...(typeof seedLength === 'number' && { seedLength }),
    ...(isSpawnedBy(spawnedBy) && { spawnedBy }),
    ...(typeof root === 'number' && { root }),
  }
}

function isSpawnedBy(value: unknown): value is SpawnedBy {
  if (!isFields(value)) return false
  const place = value['call'] ?? value['plugin']
  return (
    typeof value['turn'] === 'number' &&
    typeof value['step'] === 'number' &&
    typeof value['index'] === 'number' &&
    (typeof place === 'number' || typeof place === 'string')
  )
}
