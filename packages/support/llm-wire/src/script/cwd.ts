import type { TextPattern } from '../types.ts'

const TOKEN = '{{cwd}}'
/** `{{cwd:2/3}}` is the second third of the path: it is cut the same way however long it is. */
const PART = /\{\{cwd:([1-9])\/([1-9])\}\}/g

/** Puts the working directory in where a script says `{{cwd}}`. */
export interface CwdFiller {
  readonly text: (text: string) => string
  /** For text that is JSON already: the path is written as JSON writes it inside a string. */
  readonly json: (text: string) => string
  readonly pattern: (pattern: TextPattern) => TextPattern
}

/**
 * @param missing called where the token is met without a cwd; throws.
 */
export function cwdFiller(cwd: string | undefined, missing: () => never): CwdFiller {
  const fill = (text: string, form: (cwd: string) => string): string => {
    if (!text.includes(TOKEN) && text.search(PART) === -1) return text
    const value = form(cwd ?? missing())
    // Functions, since a path may hold `$&`.
    return text
      .replaceAll(TOKEN, () => value)
      .replaceAll(PART, (_, part: string, parts: string) => {
        const at = (index: number) => Math.floor((value.length * index) / Number(parts))
        return value.slice(at(Number(part) - 1), at(Number(part)))
      })
  }
  const plain = (text: string): string => fill(text, (cwd) => cwd)
  return {
    text: plain,
    json: (text) => fill(text, (cwd) => JSON.stringify(cwd).slice(1, -1)),
    pattern(pattern) {
      if (typeof pattern === 'string') return plain(pattern)
      if ('contains' in pattern) return { contains: plain(pattern.contains) }
      return { matches: fill(pattern.matches, escapeRegExp) }
    },
  }
}

/** True when the token is there only once the pieces are joined, where it could not be filled in. */
export function isTokenSplit(pieces: readonly string[]): boolean {
  const within = pieces.reduce((sum, piece) => sum + occurrences(piece), 0)
  return occurrences(pieces.join('')) !== within
}

function occurrences(text: string): number {
  return text.split(TOKEN).length - 1
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/gu, String.raw`\$&`)
}
