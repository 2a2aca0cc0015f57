import type { FindEdits } from './deltas.ts'
import { type PathNeedle, pathFinder } from './paths.ts'

/** What fixtures hold in place of the working directory. */
export const CWD_TOKEN = '{{cwd}}'

/** Finds the recorded working directory, to put the live one in its place. */
export interface CwdMapping {
  /** In plain text. */
  readonly text: FindEdits
  /** In raw JSON text, such as a tool call's arguments, with whatever escapes the model chose. */
  readonly json: FindEdits
}

type Mapped = PathNeedle & { readonly live: string }

/**
 * Maps `{{cwd}}`, and the recorded directory where it stands as itself (see `boundaries.ts`), to the
 * live directory. Both find the same; they differ in how the live directory is written.
 */
export function cwdMapping(recorded: string | undefined, live: string): CwdMapping {
  const needles = needlesOf(recorded?.replace(/\/+$/, '') ?? '', live)
  const find = pathFinder(needles)
  const edits =
    (write: (path: string) => string): FindEdits =>
    (text) =>
      find(text).map(({ start, end, needle, slash }) => {
        const path = write((needles[needle] as Mapped).live)
        // What escapes slashes (a regular expression, JSON in a string) goes on to do so.
        return { start, end, text: slash === '/' ? path : path.replaceAll('/', slash) }
      })
  return {
    text: edits((path) => path),
    json: edits((path) => JSON.stringify(path).slice(1, -1)),
  }
}

function needlesOf(recorded: string, live: string): Mapped[] {
  // Nothing else is written so, whatever stands around it.
  const token = { find: CWD_TOKEN, live, anyStart: true, anyEnd: true }
  if (recorded.startsWith('/')) return [{ find: recorded, live }, token]
  if (!recorded.startsWith(`${CWD_TOKEN}/`)) return [token]
  // The session ran in a folder below the scenario's: the token names the folder above.
  return [
    { find: recorded, live, anyStart: true },
    { ...token, live: cwdRoot(recorded, live) },
  ]
}

/**
 * The live directory that `{{cwd}}` stands for in a log: the session's own, or the one above it
 * where the session ran in `{{cwd}}/below`.
 */
export function cwdRoot(recorded: string | undefined, live: string): string {
  if (recorded?.startsWith(`${CWD_TOKEN}/`) !== true) return live
  const below = recorded.slice(CWD_TOKEN.length).replace(/\/+$/, '')
  return live.endsWith(below) ? live.slice(0, -below.length) : live
}

/** Finds the live working directory, under each of its paths, to put `{{cwd}}` in its place. */
export function cwdTokens(paths: readonly string[]): FindEdits {
  const absolute = paths.filter((path) => path.startsWith('/'))
  const find = pathFinder(absolute.map((path) => ({ find: path })))
  return (text) => find(text).map(({ start, end }) => ({ start, end, text: CWD_TOKEN }))
}
