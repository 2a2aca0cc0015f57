/** Replaces `[start, end)` of a text. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** `edits` are ascending and do not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let out = ''
  let at = 0
  for (const edit of edits) {
    out += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return out + text.slice(at)
}
