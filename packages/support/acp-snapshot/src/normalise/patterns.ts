/**
 * What is looked for in a text. Every pattern also matches inside JSON that is itself a string (the
 * raw arguments of a tool call), where characters may be escaped, more than once.
 */

/** In raw JSON the letter of an escape (`\n/tmp/x`) is not part of what follows it. */
const AFTER_ESCAPE = '(?<=\\\\[nrtbf])|(?<=\\\\u[0-9a-fA-F]{4})'

/** Any UUID that is not part of a longer word. */
export const UUID_PATTERN: string =
  `(?:(?<![0-9A-Za-z])|${AFTER_ESCAPE})` +
  '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}(?![0-9A-Za-z])'

const WHOLE_UUID = new RegExp(`^${UUID_PATTERN}$`)

export function isUuid(text: string): boolean {
  return WHOLE_UUID.test(text)
}

/**
 * A path begins where no name goes on: after anything that is not part of a file name, after a
 * one-letter option (`-I/tmp/x`). Not after a token, or normalising twice would find more than
 * normalising once.
 */
const PATH_BEGINS = `(?<!\\}\\})(?:(?<![A-Za-z0-9_.~\\\\-])|${AFTER_ESCAPE}|(?<=(?<![A-Za-z0-9_.}-])-[A-Za-z]))`

/**
 * A path ends where no name goes on; full stops count as the end of a sentence unless a name
 * follows. Only ASCII goes on a name: languages without spaces write on directly after a path.
 */
const PATH_ENDS = '(?!\\.*(?:[A-Za-z0-9_-]|\\{\\{))'

/** The paths, longest first, or undefined when there is none to look for. */
export function pathPattern(paths: readonly string[]): string | undefined {
  const known = [...new Set(paths.map(withoutTrailingSlash))].filter((path) => path.startsWith('/'))
  if (known.length === 0) return undefined
  const longestFirst = known.sort((a, b) => b.length - a.length)
  return `${PATH_BEGINS}(?:${longestFirst.map(escapable).join('|')})${PATH_ENDS}`
}

function withoutTrailingSlash(path: string): string {
  return path.replace(/\/+$/, '')
}

/** Short ids that are no UUIDs are words of prose too; they count only where they are all. */
const SHORTEST_ID_IN_PROSE = 8

/** Ids other than UUIDs, which `UUID_PATTERN` finds. */
export function idPattern(ids: readonly string[]): string | undefined {
  const others = ids.filter((id) => !isUuid(id)).sort((a, b) => b.length - a.length)
  if (others.length === 0) return undefined
  return others
    .map((id) =>
      id.length < SHORTEST_ID_IN_PROSE
        ? `^${literal(id)}$`
        : `(?:(?<![0-9A-Za-z_-])|${AFTER_ESCAPE})${literal(id)}(?![0-9A-Za-z_-])`,
    )
    .join('|')
}

/** Matches the text itself and each of its JSON-escaped forms. */
function escapable(text: string): string {
  let pattern = ''
  // By UTF-16 unit, as JSON escapes.
  for (let i = 0; i < text.length; i += 1) pattern += escapableUnit(text.charCodeAt(i))
  return pattern
}

function escapableUnit(unit: number): string {
  const char = String.fromCharCode(unit)
  if (char === '/' || char === '"') return `\\\\*${char}`
  if (char === '\\') return '\\\\+'
  if (unit < 0x80) return literal(char)
  const hex = unit
    .toString(16)
    .padStart(4, '0')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
  return `(?:${char}|\\\\+u${hex})`
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
