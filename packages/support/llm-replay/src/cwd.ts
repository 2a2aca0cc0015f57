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
  /** Not where it is the rest of a longer path. */
  readonly atStart: boolean
  /** Not where the file name goes on. */
  readonly atEnd: boolean
}

/** No part of a file name follows; a full stop may end a sentence. */
const NAME_ENDS = String.raw`(?![\p{L}\p{N}_~@+\-]|\.[\p{L}\p{N}_])`

/**
 * Maps `{{cwd}}`, and the recorded directory as a path of its own (never `/a/b` in `/a/bc` or
 * `/x/a/b`), to the live directory. Lexical: links are not resolved.
 */
export function cwdMapping(recorded: string | undefined, live: string): CwdMapping {
  const needles = needlesOf(recorded?.replace(/\/+$/, '') ?? '', live)
  const plain = pattern(needles, escapeRegExp)
  const escaped = pattern(needles, jsonPattern)
  return {
    text: (text) =>
      // Most texts hold no path: a plain search says so at a fraction of the cost.
      needles.some(({ find }) => text.includes(find))
        ? findNeedles(text, plain, needles, false)
        : [],
    json: (text) => findNeedles(text, escaped, needles, true),
  }
}

function needlesOf(recorded: string, live: string): Needle[] {
  const token = { find: CWD_TOKEN, replacement: live, atStart: false, atEnd: false }
  const path = { find: recorded, replacement: live, atEnd: true }
  if (recorded.startsWith('/')) return [{ ...path, atStart: true }, token]
  if (!recorded.startsWith(`${CWD_TOKEN}/`)) return [token]
  // The session ran in a folder below the scenario's: the token names the folder above.
  const below = recorded.slice(CWD_TOKEN.length)
  const root = live.endsWith(below) ? live.slice(0, -below.length) : live
  return [
    { ...path, atStart: false },
    { ...token, replacement: root },
  ]
}

/** One group per needle, so that a match tells which one it is. */
function pattern(needles: readonly Needle[], write: (find: string) => string): RegExp {
  const groups = needles.map(({ find, atEnd }) => `(${write(find)})${atEnd ? NAME_ENDS : ''}`)
  return new RegExp(groups.join('|'), 'gu')
}

function findNeedles(
  text: string,
  pattern: RegExp,
  needles: readonly Needle[],
  json: boolean,
): TextEdit[] {
  const edits: TextEdit[] = []
  for (const match of text.matchAll(pattern)) {
    const [found, ...groups] = match
    const { replacement, atStart } = needles[
      groups.findIndex((group) => group !== undefined)
    ] as Needle
    const start = match.index
    if (atStart && !startsPath(text, start, json)) continue
    edits.push({
      start,
      end: start + found.length,
      text: json ? JSON.stringify(replacement).slice(1, -1) : replacement,
    })
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

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
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
