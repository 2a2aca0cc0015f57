/**
 * Where a path begins and ends in text. The rule, for every reader of paths here:
 *
 * A path is found where it stands as itself, and never as a part of something longer.
 *
 * - A *name character* is a letter, mark or digit of any script, or `_`. Scripts that are written
 *   without a space beside a path (Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese, Tibetan)
 *   are an exception: `文件在/a/b中` names `/a/b`, `café/a/b` does not.
 * - It does not begin after a name character, `.`, `~` or `-`, nor after a token that stands for a
 *   name or a path (`{{cwd}}`, `{{id.1}}`, `{{session}}`). It does after a one-letter option
 *   (`-I/a/b`) and after the `-` that begins a line of a diff. Further slashes before it
 *   (`file:///a/b`, `//a/b`) belong to it: what stands before them decides. `http://a/b` names a host.
 * - It does not end before a name character, `-`, `~`, `@` or `+`, nor before `%20`, `$x`, `${x}`, an
 *   escaped space, or a token for an id. Full stops end a sentence, unless one of those follows them
 *   or a letter of any script: `/a/b.` and `/a/b...` end, `/a/b.bak` does not.
 * - Everything else may stand beside it: nothing, white space, quotes, brackets, `/ : ; , = | ! ? *`.
 *
 * Text may be JSON that is itself in a string, to any depth, and the rule gives the same in it as in
 * the text that it encodes: `\n` is a line's end, `\u00e9` is `é`, `\/` is `/`.
 */

/** What is looked at on either side. It bounds the work; nothing in the rule is longer than a token. */
const REACH = 64

const UNSPACED = `[${[
  'Han',
  'Hiragana',
  'Katakana',
  'Bopomofo',
  'Hangul',
  'Thai',
  'Lao',
  'Khmer',
  'Myanmar',
  'Tibetan',
]
  .map((script) => `\\p{scx=${script}}`)
  .join('')}]`
const ANY_NAME = '[\\p{L}\\p{M}\\p{N}_]'
const NAME = `(?!${UNSPACED})${ANY_NAME}`

/** Each stands for a name, so that a text and its normal form have the same paths. */
const NAME_TOKEN = '\\{\\{(?:id\\.\\d+|session(?:Id|\\.\\d+)?)\\}\\}'

const OPTION = new RegExp(`(?<!${NAME}|[-.~@+}])-[A-Za-z]$`, 'u')
const LINE_OF_DIFF = /(?:^|[\n\r])-$/
const NAME_BEFORE = new RegExp(`(?:${NAME}|[-.~]|\\{\\{cwd\\}\\}|${NAME_TOKEN})$`, 'u')
const HOST_BEFORE = /[\p{L}\p{N}]:\\*\/$/u
const SLASHES_BEFORE = /(?:\\*\/)+$/

const NAME_AFTER = new RegExp(
  `^(?:${NAME}|(?:\\\\*\\.)+${ANY_NAME}|(?:\\\\*\\.)*(?:` +
    `\\\\*[-~@+]|\\\\+ |%[0-9A-Fa-f]{2}|\\$[A-Za-z_{(]|${NAME_TOKEN}))`,
  'u',
)

/** Most paths stand beside one of these, and then there is nothing to work out. */
const PLAIN_BEFORE = ' \n"\'`(=,'
const PLAIN_AFTER = '/ \n"\'`),:;'

/** Whether a path may begin at a place that holds one, before whatever escapes its first slash. */
export function beginsPath(text: string, start: number): boolean {
  if (start === 0 || PLAIN_BEFORE.includes(text.charAt(start - 1))) return true
  const before = decoded(text.slice(Math.max(0, start - REACH), start))
  if (HOST_BEFORE.test(before)) return false
  const around = before.replace(SLASHES_BEFORE, '')
  return OPTION.test(around) || LINE_OF_DIFF.test(around) || !NAME_BEFORE.test(around)
}

/** Whether a path that is found up to a place ends there. */
export function endsPath(text: string, end: number): boolean {
  if (end === text.length || PLAIN_AFTER.includes(text.charAt(end))) return true
  return !NAME_AFTER.test(decoded(text.slice(end, end + REACH)))
}

const ESCAPE = /\\+(?:u([0-9a-fA-F]{4})|([nrtbf]))/g

/** The characters that JSON escapes stand for, where they tell names from what is none. */
function decoded(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(ESCAPE, (_, hex: string | undefined, letter: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
    return letter === 'n' || letter === 'r' ? '\n' : ' '
  })
}
