import { beginsPath, endsPath } from './boundaries.ts'

/** A text to look for. */
export interface PathNeedle {
  /** An absolute path, or a token; slashes at its end do not count. */
  readonly find: string
  /** It may follow anything: what it begins with cannot be the rest of something longer. */
  readonly anyStart?: boolean
  /** The same for what comes after it. */
  readonly anyEnd?: boolean
}

/** A needle in a text: `[start, end)` in UTF-16 units. */
interface PathMatch {
  readonly start: number
  readonly end: number
  /** Which of the needles, by place. */
  readonly needle: number
  /** Its first slash as it is written there: `/`, or with the backslashes before it. */
  readonly slash: string
}

/** Ascending, not overlapping. */
export type FindPaths = (text: string) => readonly PathMatch[]

/** On macOS these folders are links into `/private`, and tools print either form. */
const LINKED = /^(?:\/private)?(?=\/(?:tmp|var|etc)\/)/

/** Every way to write an absolute path that can be told from its text alone; none for another text. */
export function lexicalAliases(path: string): string[] {
  if (!path.startsWith('/')) return []
  if (!LINKED.test(path)) return [path]
  return [path.replace(LINKED, ''), path.replace(LINKED, '/private')]
}

/**
 * Finds paths that stand as themselves, as `boundaries.ts` says, in each of their forms: under their
 * lexical aliases, with doubled slashes, and escaped as in JSON, to any depth. Where several begin,
 * the longest is found. The root directory is never looked for.
 */
export function pathFinder(needles: readonly PathNeedle[]): FindPaths {
  const forms = formsOf(needles)
  if (forms.length === 0) return () => []
  const anyWritten = new RegExp(forms.map(({ source }) => source).join('|'), 'gu')
  const plain = new RegExp(forms.map(({ find }) => literal(find)).join('|'), 'gu')
  return (text) => {
    // Only escapes and doubled slashes can hide a path from the plain search, which is far quicker.
    const candidate = text.includes('\\') || text.includes('//') ? anyWritten : plain
    const matches: PathMatch[] = []
    let free = 0
    candidate.lastIndex = 0
    for (let found = candidate.exec(text); found !== null; found = candidate.exec(text)) {
      const match = matchAt(text, found.index, forms, free)
      if (match === undefined) {
        // What is no path here may hold one that begins later.
        candidate.lastIndex = found.index + 1
        continue
      }
      matches.push(match)
      free = candidate.lastIndex = match.end
    }
    return matches
  }
}

interface Form extends PathNeedle {
  readonly needle: number
  readonly source: string
  readonly here: RegExp
}

function formsOf(needles: readonly PathNeedle[]): Form[] {
  const forms = needles.flatMap((wanted, needle) => {
    const path = wanted.find.replace(/\/+/g, '/').replace(/\/$/, '')
    const texts = path.startsWith('/') ? lexicalAliases(path) : [path]
    return texts.map((find): Form => {
      const source = Array.from(find, (character, at) => anyForm(character, at === 0)).join('')
      return { ...wanted, find, needle, source, here: new RegExp(source, 'uy') }
    })
  })
  return forms.filter(({ find }) => find !== '').sort((a, b) => b.find.length - a.find.length)
}

function matchAt(
  text: string,
  start: number,
  forms: readonly Form[],
  free: number,
): PathMatch | undefined {
  for (const { here, needle, anyStart = false, anyEnd = false } of forms) {
    here.lastIndex = start
    const found = here.exec(text)
    if (found === null) continue
    const end = here.lastIndex
    // A path right after another one goes on from it.
    if (!anyStart && ((start === free && free > 0) || !beginsPath(text, start))) continue
    if (!anyEnd && !endsPath(text, end)) continue
    const slash = /^\\*\//.exec(found[0])?.[0] ?? '/'
    return { start, end, needle, slash }
  }
  return undefined
}

/** Matches every way in which text, or JSON around it, writes a character of a needle. */
function anyForm(character: string, first: boolean): string {
  const units = Array.from({ length: character.length }, (_, unit) =>
    hexForm(character.charCodeAt(unit)),
  )
  const hex = units.join('')
  // All backslashes before the first slash are its own; to try each would take quadratic time.
  // Slashes before the first one stay what they are: they may be a scheme's.
  if (character === '/') return first ? `(?<!\\\\)(?:\\\\*/|${hex})` : `(?:\\\\*/|${hex})+`
  if (character === '"') return `(?:\\\\*"|${hex})`
  if (character === '\\') return `(?:${hex}|\\\\+)`
  const short = JSON.stringify(character).slice(1, -1)
  const escaped = short === character ? [] : [`\\\\+${short.slice(1)}`]
  return `(?:${[literal(character), ...escaped, hex].join('|')})`
}

function hexForm(unit: number): string {
  const digits = unit.toString(16).padStart(4, '0')
  return `\\\\+u${digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
