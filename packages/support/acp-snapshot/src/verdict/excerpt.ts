const NOTHING = '(nothing)'

/** Both values cut to a width, around the first character in which they differ. */
export function excerpts(
  expected: string = NOTHING,
  actual: string = NOTHING,
  width: number,
): [string, string] {
  let same = 0
  while (same < expected.length && expected[same] === actual[same]) same += 1
  const fits = expected.length <= width && actual.length <= width
  // More is shown of what follows: where two texts part is seen at once, what became of it is not.
  const from = fits ? 0 : wholeFrom(expected, same - Math.floor(width / 3))
  return [cut(expected, from, width), cut(actual, from, width)]
}

/** An index that does not halve a character. Both texts agree before it. */
function wholeFrom(text: string, index: number): number {
  if (index <= 0) return 0
  return /[\uDC00-\uDFFF]/.test(text.charAt(index)) ? index - 1 : index
}

function cut(text: string, from: number, width: number): string {
  if (from === 0) return oneLine(text, width)
  return `…${oneLine(text.slice(from), width - 1)}`
}

/** A text as one line of at most `width` characters; what is cut off is marked. */
export function oneLine(text: string, width: number): string {
  const characters = charactersOf(text, width)
  if (characters.length <= width) return characters.join('')
  return `${characters.slice(0, width - 1).join('')}…`
}

/** The first characters of a text, which may be of any size; more than `most` where there are more. */
function charactersOf(text: string, most: number): string[] {
  return Array.from(printable(text.slice(0, 2 * most + 2)))
}

/** Whatever an agent printed must not move the cursor of whoever reads it. */
function printable(text: string): string {
  return text
    .replaceAll('\r\n', '⏎')
    .replaceAll('\n', '⏎')
    .replaceAll('\t', ' ')
    .replaceAll(/\p{Cc}|\p{Bidi_Control}/gu, '�')
}

/** A text in at most `most` lines of at most `width` characters, cut between words where it can be. */
export function wrap(text: string, width: number, most: number): string[] {
  const lines: string[] = []
  let rest = charactersOf(text.trim(), width * most)
  while (rest.length > 0) {
    if (lines.length === most - 1) return [...lines, oneLine(rest.join(''), width)]
    const blank = rest.length <= width ? -1 : rest.lastIndexOf(' ', width)
    const end = blank > 0 ? blank : width
    lines.push(rest.slice(0, end).join(''))
    rest = rest.slice(blank > 0 ? end + 1 : end)
  }
  return lines
}
