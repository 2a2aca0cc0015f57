import { applyEdits, type Edit } from './edits.ts'
import { idPattern, pathPattern, UUID_PATTERN } from './patterns.ts'
import { editPieces } from './pieces.ts'
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
  private readonly pattern: RegExp
  private readonly book: TokenBook
  private readonly kept: ReadonlySet<string>

  constructor(options: ReplacerOptions) {
    const parts = [
      named('cwd', pathPattern(options.cwdAliases)),
      named('id', idPattern(options.sessionIds)),
      named('uuid', UUID_PATTERN),
      '\\{\\{id\\.(?<present>\\d+)\\}\\}',
    ]
    this.pattern = new RegExp(parts.filter((part) => part !== '').join('|'), 'g')
    this.book = options.book
    this.kept = options.kept
  }

  text(text: string): string {
    return applyEdits(text, this.edits(text))
  }

  /** Like `text`, over a text that was cut into pieces; as many pieces come back. */
  pieces(pieces: readonly string[]): string[] {
    return editPieces(pieces, this.edits(pieces.join('')))
  }

  private edits(text: string): Edit[] {
    const edits: Edit[] = []
    for (const match of text.matchAll(this.pattern)) {
      const replacement = this.replacement(match[0], match.groups as Groups)
      if (replacement === undefined) continue
      edits.push({ start: match.index, end: match.index + match[0].length, text: replacement })
    }
    return edits
  }

  private replacement(found: string, groups: Groups): string | undefined {
    if (groups['present'] !== undefined) {
      this.book.see(Number(groups['present']))
      return undefined
    }
    if (groups['cwd'] !== undefined) return '{{cwd}}'
    if (this.kept.has(found.toLowerCase()) && !this.book.isSession(found)) return undefined
    return this.book.tokenOf(found)
  }
}

function named(name: string, pattern: string | undefined): string {
  return pattern === undefined ? '' : `(?<${name}>${pattern})`
}
