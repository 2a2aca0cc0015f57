const NOTHING = '(nothing)'
/** How much of what both sides share is shown before they part. */
const CONTEXT = 20

/** Both values cut to a width, around the first character in which they differ. */
export function excerpts(
  expected: string | undefined,
  actual: string | undefined,
  width: number,
): [string, string] {
  const [left, right] = [expected ?? NOTHING, actual ?? NOTHING]
  let same = 0
  while (same < left.length && left[same] === right[same]) same += 1
  const fits = left.length <= width && right.length <= width
  const from = fits ? 0 : Math.max(0, same - CONTEXT)
  return [cut(left, from, width), cut(right, from, width)]
}

function cut(text: string, from: number, width: number): string {
  return oneLine((from > 0 ? '…' : '') + text.slice(from), width)
}

/** A text as one line of at most `width` characters; what is cut off is marked. */
export function oneLine(text: string, width: number): string {
  const flat = text.replaceAll('\n', '⏎')
  return flat.length <= width ? flat : `${flat.slice(0, width - 1)}…`
}
