import type { FindEdits, TextEdit } from './deltas.ts'

/** What fixtures hold in place of the working directory. */
export const CWD_TOKEN = '{{cwd}}'

/** Finds the recorded working directory, to put the live one in its place. */
export interface CwdMapping {
  /** In plain text. */
  readonly text: FindEdits
  /** In raw JSON text, such as a tool call's arguments, with whatever escapes the model chose. */
  readonly json: FindEdits
}

interface Needle {
  readonly find: string
  readonly replacement: string
  /** A token ends where it ends; a path only where no file name goes on. */
  readonly path: boolean
}

/**
 * Maps `{{cwd}}`, and the recorded directory as a path of its own (never `/a/b` in `/a/bc` or
 * `/x/a/b`), to the live directory. Lexical: links are not resolved.
 */
export function cwdMapping(recorded: string | undefined, live: string): CwdMapping {
  const needles = needlesOf(recorded?.replace(/\/+$/, '') ?? '', live)
  const plain = needles.map(({ find }) => `(${escapeRegExp(find)})`).join('|')
  const escaped = needles.map(({ find }) => `(${jsonPattern(find)})`).join('|')
  return {
    text: (text) => findNeedles(text, new RegExp(plain, 'gu'), needles, false),
    json: (text) => findNeedles(text, new RegExp(escaped, 'gu'), needles, true),
  }
}

function needlesOf(recorded: string, live: string): Needle[] {
  const token = { find: CWD_TOKEN, replacement: live, path: false }
  if (recorded.startsWith('/')) {
    return [{ find: recorded, replacement: live, path: true }, token]
  }
  if (!recorded.startsWith(`${CWD_TOKEN}/`)) return [token]
  // The session ran in a folder below the scenario's: the token names the folder above.
  const below = recorded.slice(CWD_TOKEN.length)
  const root = live.endsWith(below) ? live.slice(0, -below.length) : live
  return [
    { find: recorded, replacement: live, path: true },
    { ...token, replacement: root },
  ]
}

function findNeedles(
  text: string,
  pattern: RegExp,
  needles: readonly Needle[],
  json: boolean,
): TextEdit[] {
  const edits: TextEdit[] = []
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const start = match.index
    const end = start + match[0].length
    const needle = needles.find((_, group) => match?.[group + 1] !== undefined) as Needle
    if (needle.path && !(startsPath(text, start, json) && endsPath(text.slice(end, end + 3)))) {
      pattern.lastIndex = start + 1
      continue
    }
    const replacement = needle.replacement
    edits.push({ start, end, text: json ? JSON.stringify(replacement).slice(1, -1) : replacement })
  }
  return edits
}

function startsPath(text: string, start: number, json: boolean): boolean {
  if (json) {
    if (isEscaped(text, start)) return false
    if ('nrtbf'.includes(text.charAt(start - 1)) && isEscaped(text, start - 1)) return true
  }
  // Nothing further back than this can matter.
  const before = text.slice(Math.max(0, start - 8), start)
  // `file:///a/b` and `-I/a/b` hold whole paths.
  if (/:\\?\/\\?\/$/.test(before) || /(?:^|[\s"'=])-[A-Za-z]$/.test(before)) return true
  return !/[\p{L}\p{N}_.~/-]$/u.test(before)
}

/** Whether an odd number of backslashes stands before a place of JSON text. */
function isEscaped(text: string, at: number): boolean {
  let from = at
  while (text[from - 1] === '\\') from--
  return (at - from) % 2 === 1
}

function endsPath(after: string): boolean {
  return !/^(?:[\p{L}\p{N}_~@+-]|\.[\p{L}\p{N}_])/u.test(after)
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

/** Matches every way in which JSON may write a text. */
function jsonPattern(text: string): string {
  return Array.from(text, (character) => {
    const forms = new Set([
      JSON.stringify(character).slice(1, -1),
      character === '/' ? '\\/' : character,
    ])
    const units = Array.from({ length: character.length }, (_, unit) =>
      hexPattern(character.charCodeAt(unit)),
    )
    return `(?:${[...[...forms].map(escapeRegExp), units.join('')].join('|')})`
  }).join('')
}

function hexPattern(unit: number): string {
  const digits = unit.toString(16).padStart(4, '0')
  return `\\\\u${digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`
}
