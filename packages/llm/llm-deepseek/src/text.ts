/** Takes the secrets out of a text that is about to be shown or logged. */
export type Redact = (text: string) => string

/** Replaces every occurrence of `secret`; without one, texts stay as they are. */
export function redactor(secret: string | undefined): Redact {
  return secret === undefined ? (text) => text : (text) => text.replaceAll(secret, '***')
}

/** One line of at most `max` UTF-16 units and an ellipsis; never ends in half a character. */
export function excerpt(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (line.length <= max) return line
  return `${line.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')}…`
}
