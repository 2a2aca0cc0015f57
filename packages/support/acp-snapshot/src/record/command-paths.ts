import { posix } from 'node:path'

/** Why a command is not one to be run by every replay, on any machine. */
export interface CommandProblem {
  /** What `allowCommands` would have to name. */
  readonly name: string
  readonly reason: string
}

const CWD = '{{cwd}}'
/** The same on every machine, and without effect. */
const HARMLESS = new Set(['/dev/null', '/dev/stdin', '/dev/stdout', '/dev/stderr'])

/** `--file=/x`, `A=/x`, `-I/x` and `file:///x` hold paths as a word alone does. */
const OUTSIDE = /(?:^|=|^-C|^-[A-Za-z](?=\/.)|file:\/\/)((?:\/|~|\$HOME\b|\$\{HOME\b[^}]*\}).*)$/
const ASSIGNMENT = /^[A-Za-z_]\w*=(.*)$/s
/** Names that outlive no change of directory, but begin in it. */
const HERE = /^\$(?:PWD\b|\{PWD\})/
const MOST_EXPANSIONS = 64

/** Paths in a word that lie outside the working directory, for which `{{cwd}}` stands. */
export function pathProblems(word: string): CommandProblem[] {
  const words = expandBraces(word)
  const parts = words.flatMap((each) => {
    // Lists such as PATH.
    const value = ASSIGNMENT.exec(each)?.[1]
    return value?.includes(':') === true && !value.includes('://') ? value.split(':') : [each]
  })
  return parts.flatMap(problemOf)
}

/** Paths that code of another language holds in quotes. */
export function pathsInCode(code: string): CommandProblem[] {
  return [...code.matchAll(/(["'`])((?:~\/|\/)[\w.][^"'`\n]*)\1/g)].flatMap(([, , path = '']) =>
    problemOf(path),
  )
}

function problemOf(word: string): CommandProblem[] {
  const path = OUTSIDE.exec(word)?.[1]
  if (path !== undefined) {
    if (HARMLESS.has(path)) return []
    return [{ name: path, reason: `${path} lies outside the working directory` }]
  }
  const inside = word
    .replace(/^.*=(?=\.|\$)/, '')
    .replace(HERE, '.')
    .replace(CWD, '.')
  if (!posix.normalize(inside).startsWith('..') || !/(?:^|\/)\.\.(?:\/|$)/.test(inside)) return []
  return [{ name: word, reason: `${word} leads out of the working directory` }]
}

/** `{a,b}c` stands for `ac` and `bc`. A word that stands for very many is left as it is. */
function expandBraces(word: string): string[] {
  let words = [word]
  for (;;) {
    const more = words.flatMap((each) => {
      const found = /^(.*?)(?<!\$)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(each)
      if (found === null) return [each]
      const [, before = '', choices = '', after = ''] = found
      return choices.split(',').map((choice) => before + choice + after)
    })
    if (more.length > MOST_EXPANSIONS) return [word]
    if (more.length === words.length && more.every((each, at) => each === words[at])) return more
    words = more
  }
}
