/** A text as one line, without control characters, which a terminal would obey; cut to `width`. */
export function oneLine(text: string, width: number = Number.POSITIVE_INFINITY): string {
  // Results may be long: what lies far behind the cut is not even looked at.
  const looked = text.slice(0, width * 8)
  const flat = looked.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
  if (flat.length <= width) return flat
  const characters = Array.from(flat)
  return characters.length > width ? `${characters.slice(0, width - 1).join('')}…` : flat
}
