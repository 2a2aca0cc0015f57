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
  const result = [...pieces]
  editPieces(
    joined,
    edits,
    (piece) => pieces[piece] as string,
    (piece, text) => {
      result[piece] = text
    },
  )
  return result
}

/**
 * The same, for pieces that are no array of strings: `put` is told of those that change, and only
 * of those.
 * @throws RangeError for edits that are none
 */
export function editPieces(
  joined: string,
  edits: readonly TextEdit[],
  pieceAt: (piece: number) => string,
  put: (piece: number, text: string) => void,
): void {
  checkEdits(edits, joined.length)
  let piece = 0
  let offset = 0
  for (let at = 0; at < edits.length; ) {
    const end = offset + pieceAt(piece).length
    if ((edits[at] as TextEdit).start < end) {
      let text = ''
      let kept = offset
      for (; at < edits.length; at++) {
        const edit = edits[at] as TextEdit
        if (edit.start >= end) break
        if (edit.start >= offset) text += joined.slice(kept, edit.start) + edit.text
        kept = Math.min(edit.end, end)
        // The match runs on in the next piece.
        if (edit.end > end) break
      }
      text += joined.slice(kept, end)
      if (text !== pieceAt(piece)) put(piece, text)
    }
    offset = end
    piece++
  }
}

/** The same for a text in one piece. */
export function replaceInText(text: string, find: FindEdits): string {
  return replaceAcrossDeltas([text], find)[0] as string
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
