import type { FindEdits, TextEdit } from './deltas.ts'

/** A replacement of a project's own, for what varies from run to run and is nobody's id or path. */
export interface NormaliseRule {
  /**
   * What to find: a regular expression, as a text or as such. It sees the joined text of a block,
   * wherever a stream cut it, and the arguments of a tool as the JSON text that they are. Always
   * global, and by code points (`g`, `u`); it must not match the empty text.
   */
  readonly pattern: string | RegExp
  /** What stands there instead: a name in double braces, as `{{version}}`. */
  readonly token: string
}

/** A token of any kind, ours or a project's. */
const TOKEN = /\{\{[A-Za-z][\w.:/-]*\}\}/g
const OWN_TOKEN = /^\{\{([a-z][A-Za-z0-9-]*)\}\}$/
/** Their tokens mean something to replay and to the normaliser. */
const RESERVED = ['cwd', 'session', 'sessionId', 'id', 'system', 'tools']
const KNOWN_FLAGS = /^[gimsu]*$/

/** What is wrong with each rule that cannot be one, a text each. */
export function ruleProblems(rules: readonly NormaliseRule[]): string[] {
  return rules.flatMap(problemsOf)
}

/**
 * Finds what rules replace in a text; of rules without problems. Where two matches overlap the
 * earlier rule wins, then the earlier match. A match that would take a part of a token is none: so
 * every round leaves less to replace, and rounds end.
 */
export function findByRules(rules: readonly NormaliseRule[]): FindEdits {
  const compiled = rules.map(({ pattern, token }) => ({ regex: regexOf(pattern), token }))
  return (text) => {
    const taken: TextEdit[] = [...text.matchAll(TOKEN)].map((match) => spanOf(match, ''))
    const kept = taken.length
    for (const { regex, token } of compiled) taken.push(...findAll(text, regex, token, taken))
    return taken.slice(kept).sort((a, b) => a.start - b.start)
  }
}

function findAll(
  text: string,
  regex: RegExp,
  token: string,
  taken: readonly TextEdit[],
): TextEdit[] {
  const found: TextEdit[] = []
  regex.lastIndex = 0
  for (let match = regex.exec(text); match !== null; match = regex.exec(text)) {
    const span = spanOf(match, token)
    const other = taken.find(({ start, end }) => start < span.end && span.start < end)
    if (other !== undefined) regex.lastIndex = Math.max(other.end, span.start + 1)
    else if (span.start === span.end) regex.lastIndex += 1
    else found.push(span)
  }
  return found
}

function spanOf(match: RegExpExecArray, text: string): TextEdit {
  return { start: match.index, end: match.index + match[0].length, text }
}

/** Unicode, so that a match never cuts a character in two. */
function regexOf(pattern: NormaliseRule['pattern']): RegExp {
  if (typeof pattern === 'string') return new RegExp(pattern, 'gu')
  return new RegExp(pattern.source, [...new Set(`${pattern.flags}gu`)].join(''))
}

function problemsOf({ pattern, token }: NormaliseRule, index: number): string[] {
  const at = `normalise[${index}]`
  return [
    ...patternProblem(pattern).map((problem) => `${at}.pattern: ${problem}`),
    ...tokenProblem(token).map((problem) => `${at}.token: ${problem}`),
  ]
}

function patternProblem(pattern: NormaliseRule['pattern']): string[] {
  if (typeof pattern !== 'string' && !KNOWN_FLAGS.test(pattern.flags)) {
    return [`flags may be g, i, m, s and u, got "${pattern.flags}"`]
  }
  let regex: RegExp
  try {
    regex = regexOf(pattern)
  } catch (cause) {
    return [`no regular expression with the flag u: ${(cause as Error).message}`]
  }
  if (!regex.test('')) return []
  return ['it matches the empty text, so it would match everywhere; ask for one character at least']
}

function tokenProblem(token: string): string[] {
  const name = OWN_TOKEN.exec(token)?.[1]
  if (name === undefined) {
    return [`expected a name in double braces, as "{{version}}", got ${JSON.stringify(token)}`]
  }
  return RESERVED.includes(name) ? [`${token} has a meaning of its own; choose another name`] : []
}
