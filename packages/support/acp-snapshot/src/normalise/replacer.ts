import {
  cwdTokens,
  type FindEdits,
  replaceAcrossDeltas,
  replaceInText,
  type TextEdit,
  UUID_PATTERN,
} from 'dsh-llm-replay'
import { idPattern } from './patterns.ts'
import type { TokenBook } from './tokens.ts'

export interface ReplacerOptions {
  readonly cwdAliases: readonly string[]
  /** Ids that have tokens from the start. */
  readonly sessionIds: readonly string[]
  readonly book: Pick<TokenBook, 'see' | 'isSession' | 'tokenOf'>
  /** Ids that are data, in lower case: they keep their bytes wherever they stand. */
  readonly kept: ReadonlySet<string>
  /** A project's own rules. */
  readonly own?: FindEdits
}

type Groups = Readonly<Record<string, string | undefined>>

/** Finds paths and ids in texts and puts tokens in their place. */
export class Replacer {
  private readonly paths: FindEdits
  private readonly ids: RegExp
  private readonly book: ReplacerOptions['book']
  private readonly kept: ReadonlySet<string>
  private readonly own: FindEdits | undefined

  constructor(options: ReplacerOptions) {
    this.paths = cwdTokens(options.cwdAliases)
    const parts = [idPattern(options.sessionIds), UUID_PATTERN, '\\{\\{id\\.(?<present>\\d+)\\}\\}']
    this.ids = new RegExp(parts.filter((part) => part !== undefined).join('|'), 'g')
    this.book = options.book
    this.kept = options.kept
    this.own = options.own
  }

  /** A text of somebody's. */
  text(text: string): string {
    return this.pieces([text])[0] as string
  }

  /** A key, or a word of the formats: a project's own rules do not reach it. */
  word(word: string): string {
    return replaceInText(word, this.edits)
  }

  /**
   * Like `text`, over a text that was cut into pieces; as many pieces come back. A token may give
   * way to a match beside it, so rules are applied until nothing changes; each round takes characters
   * that are no token, and leaves tokens.
   */
  pieces(pieces: readonly string[]): readonly string[] {
    const { own } = this
    if (own === undefined) return replaceAcrossDeltas(pieces, this.edits)
    let normal = pieces
    for (;;) {
      const next = replaceAcrossDeltas(replaceAcrossDeltas(normal, own), this.edits)
      if (next.every((piece, index) => piece === normal[index])) return normal
      normal = next
    }
  }

  private readonly edits: FindEdits = (text) => {
    const paths = this.paths(text)
    const edits: TextEdit[] = []
    let next = 0
    for (const match of text.matchAll(this.ids)) {
      const start = match.index
      const end = start + match[0].length
      for (let path = paths[next]; path !== undefined && path.end <= start; path = paths[next]) {
        edits.push(path)
        next += 1
      }
      // An id within the path is gone with it, and is not counted.
      if ((paths[next]?.start ?? end) < end) continue
      const replacement = this.replacement(match[0], match.groups as Groups)
      if (replacement !== undefined) edits.push({ start, end, text: replacement })
    }
    return [...edits, ...paths.slice(next)]
  }

  private replacement(found: string, groups: Groups): string | undefined {
    if (groups['present'] !== undefined) {
      this.book.see(Number(groups['present']))
      return undefined
    }
    if (this.kept.has(found.toLowerCase()) && !this.book.isSession(found)) return undefined
    return this.book.tokenOf(found)
  }
}
