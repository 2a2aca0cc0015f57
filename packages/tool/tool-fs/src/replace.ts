/** A literal replacement. `count` is how often `oldText` occurs, overlaps included. */
export interface Replacement {
  readonly text: string
  readonly count: number
}

/**
 * Replaces `oldText` by `newText`: everywhere, from left to right, where `all`, else where it first
 * occurs. Where every line of the text ends in CRLF, the line ends of both are taken as CRLF, since a
 * model sees and writes plain newlines.
 * @param oldText not empty.
 */
export function replaceText(
  text: string,
  oldText: string,
  newText: string,
  all: boolean,
): Replacement {
  const adapt = usesCrlf(text) ? toCrlf : (value: string): string => value
  const wanted = adapt(oldText)
  const count = countOf(text, wanted)
  if (count === 0) return { text, count }
  const replacement = adapt(newText)
  if (all) return { text: text.split(wanted).join(replacement), count }
  const at = text.indexOf(wanted)
  return { text: text.slice(0, at) + replacement + text.slice(at + wanted.length), count }
}

/** Overlapping places count, because one of them would have to be picked. */
function countOf(text: string, wanted: string): number {
  let count = 0
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) count += 1
  return count
}

function usesCrlf(text: string): boolean {
  return text.includes('\n') && !/(?<!\r)\n/.test(text)
}

function toCrlf(text: string): string {
  return text.replace(/(?<!\r)\n/g, '\r\n')
}
