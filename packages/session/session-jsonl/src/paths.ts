import { createHash } from 'node:crypto'
import { basename, join, resolve } from 'node:path'
import { SessionError } from 'dsh-session'

/** The name of a log in the folder of its session. */
export const LOG_NAME = 'session.jsonl'

/**
 * One path segment for any text: `[A-Za-z0-9._-]` stays, every other UTF-16 unit becomes `~XXXX`,
 * and `.` and `..` are escaped whole. No two texts share a segment.
 * @throws SessionError `INVALID_SESSION` for the empty text.
 */
export function encodeSegment(text: string): string {
  if (text === '') throw new SessionError('INVALID_SESSION', 'a session id must not be empty')
  return text === '.' || text === '..'
    ? text.replaceAll('.', escapeUnit)
    : text.replaceAll(/[^A-Za-z0-9._-]/g, escapeUnit)
}

/** The folder of all sessions of one cwd: a readable tail and a short hash of the whole path. */
export function projectName(cwd: string): string {
  const path = resolve(cwd)
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 12)
  const tail = basename(path)
    .replaceAll(/[^A-Za-z0-9._-]/g, '-')
    .slice(-40)
  return tail === '' ? `root-${hash}` : `${tail}-${hash}`
}

/** `<root>/<project>/<session>/session.jsonl`. */
export function logPath(root: string, cwd: string, id: string): string {
  return join(root, projectName(cwd), encodeSegment(id), LOG_NAME)
}

// Without the u flag a pair of surrogates matches as two units, each with an escape of its own.
function escapeUnit(unit: string): string {
  return `~${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}
