import { structuredPatch } from 'diff'

const CONTEXT = 3
/** Added and removed lines that the exact comparison may look for; its cost grows with the square. */
const MAX_EDIT_LENGTH = 2000

/** One changed place: its old and new lines with context, joined by `\n`, no newline at the end. */
export type Hunk = {
  /** As the model named it. */
  readonly path: string
  /** null where there were no lines. */
  readonly oldText: string | null
  readonly newText: string
}

/** The changed places of a text, in order. Depends on nothing but its arguments. */
export function hunksOf(path: string, oldText: string, newText: string): Hunk[] {
  const patch = structuredPatch('', '', oldText, newText, undefined, undefined, {
    context: CONTEXT,
    maxEditLength: MAX_EDIT_LENGTH,
  })
  if (patch === undefined) return [trimmedHunk(path, linesOf(oldText), linesOf(newText))]
  return patch.hunks.map(({ lines }) => {
    const side = (mark: '-' | '+'): string[] =>
      lines.filter((line) => line[0] === ' ' || line[0] === mark).map((line) => line.slice(1))
    return hunk(path, side('-'), side('+'))
  })
}

/** One hunk from the first to the last line that differs, for texts that have little in common. */
function trimmedHunk(path: string, before: string[], after: string[]): Hunk {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head += 1
  let tail = 0
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
  const start = Math.max(0, head - CONTEXT)
  const rest = Math.max(0, tail - CONTEXT)
  return hunk(
    path,
    before.slice(start, before.length - rest),
    after.slice(start, after.length - rest),
  )
}

function hunk(path: string, before: readonly string[], after: readonly string[]): Hunk {
  return {
    path,
    oldText: before.length === 0 ? null : before.join('\n'),
    newText: after.join('\n'),
  }
}

function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}
