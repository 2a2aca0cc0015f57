/** Replaces `[start, end)` of a text, in UTF-16 units, by `text`. Never empty. */
export interface TextEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Finds what to replace in a text: ascending, not overlapping. */
export type FindEdits = (text: string) => readonly TextEdit[]

/**
 * Replaces within a text that is cut into pieces anywhere. The replacement goes into the piece in
 * which the match begins; the pieces over which the match runs on shrink, to '' if need be. So the
 * number of pieces stays, and the joined result is the joined text with the edits made.
 *
 * Returns the array it was given when there is nothing to replace.
 * @throws RangeError when `find` breaks its contract
 */
export function replaceAcrossDeltas(pieces: readonly string[], find: FindEdits): readonly string[] {
  const joined = pieces.join('')
  const edits = find(joined)
  if (edits.length === 0) return pieces
  checkEdits(edits, joined.length)
  let at = 0
  let offset = 0
  return pieces.map((piece) => {
    const end = offset + piece.length
    let result = ''
    let kept = offset
    for (;;) {
      const edit = edits[at]
      if (edit === undefined || edit.start >= end) break
      if (edit.start >= offset) result += joined.slice(kept, edit.start) + edit.text
      kept = Math.min(edit.end, end)
      if (edit.end > end) break
      at++
    }
    result += joined.slice(kept, end)
    offset = end
    return result
  })
}

/** The same for a text in one piece. */
export function replaceInText(text: string, find: FindEdits): string {
  return replaceAcrossDeltas([text], find).join('')
}

function checkEdits(edits: readonly TextEdit[], length: number): void {
  let free = 0
  for (const { start, end } of edits) {
    if (start < free || end <= start || end > length) {
      throw new RangeError(`edit [${start}, ${end}) is empty, out of order or out of the text`)
    }
    free = end
  }
}
