import {
  cwdTokens,
  type FindEdits,
  replaceAcrossDeltas,
  replaceInText,
  type TextEdit,
} from 'dsh-llm-replay'
import { idPattern, UUID_PATTERN } from './patterns.ts'
import type { TokenBook } from './tokens.ts'

export interface ReplacerOptions {
  readonly cwdAliases: readonly string[]
  /** Ids that have tokens from the start. */
  readonly sessionIds: readonly string[]
  readonly book: TokenBook
  /** Ids that are data, in lower case: they keep their bytes wherever they stand. */
  readonly kept: ReadonlySet<string>
}

type Groups = Readonly<Record<string, string | undefined>>

/** Finds paths and ids in texts and puts tokens in their place. */
export class Replacer {
  private readonly paths: FindEdits
  private readonly ids: RegExp
  private readonly book: TokenBook
  private readonly kept: ReadonlySet<string>

  constructor(options: ReplacerOptions) {
    this.paths = cwdTokens(options.cwdAliases)
    const parts = [idPattern(options.sessionIds), UUID_PATTERN, '\\{\\{id\\.(?<present>\\d+)\\}\\}']
    this.ids = new RegExp(parts.filter((part) => part !== undefined).join('|'), 'g')
    this.book = options.book
    this.kept = options.kept
  }

  text(text: string): string {
    return replaceInText(text, this.edits)
  }

  /** Like `text`, over a text that was cut into pieces; as many pieces come back. */
  pieces(pieces: readonly string[]): readonly string[] {
    return replaceAcrossDeltas(pieces, this.edits)
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
