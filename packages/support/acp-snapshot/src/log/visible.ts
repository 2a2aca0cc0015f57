/**
 * A text in quotes in which nothing is invisible: byte order marks, hard spaces and control
 * characters are there by number, as editors and the clipboard bring them in unseen.
 */
export function visible(text: string): string {
  return JSON.stringify(text).replaceAll(/[\p{C}\p{Z}]/gu, (character) =>
    character === ' ' ? character : `<U+${hex(character.codePointAt(0) as number)}>`,
  )
}

function hex(codePoint: number): string {
  return codePoint.toString(16).toUpperCase().padStart(4, '0')
}
