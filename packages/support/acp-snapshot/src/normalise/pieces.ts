import type { Edit } from './edits.ts'

/**
 * Applies edits of the joined text to its pieces. A replacement goes into the piece in which its
 * match begins; the later pieces of the match lose their share, down to nothing. The number of
 * pieces stays. `edits` are ascending, not empty ranges, and do not overlap.
 */
export function editPieces(pieces: readonly string[], edits: readonly Edit[]): string[] {
  const out: string[] = []
  let next = 0
  let start = 0
  for (const piece of pieces) {
    const end = start + piece.length
    let text = ''
    let at = start
    for (let edit = edits[next]; edit !== undefined && edit.start < end; edit = edits[next]) {
      // An edit that began in an earlier piece has been written there.
      if (edit.start >= start) text += piece.slice(at - start, edit.start - start) + edit.text
      at = Math.min(edit.end, end)
      if (edit.end > end) break
      next += 1
    }
    out.push(text + piece.slice(at - start))
    start = end
  }
  return out
}
