import type { Cut } from '../types.ts'

/**
 * Cuts a text into pieces that join back to it; an empty text has none. By code points, unless
 * `anywhere` is set: then by UTF-16 units, and a piece may end inside a character. JSON carries such
 * a half as an escape, so that joining still gives the text.
 */
export function cutText(text: string, cut: Cut): string[] {
  const { size, anywhere } = typeof cut === 'number' ? { size: cut, anywhere: false } : cut
  // Splitting by '' goes by UTF-16 units, Array.from by code points.
  const units = anywhere === true ? text.split('') : Array.from(text)
  const pieces: string[] = []
  for (let from = 0; from < units.length; from += size) {
    pieces.push(units.slice(from, from + size).join(''))
  }
  return pieces
}
