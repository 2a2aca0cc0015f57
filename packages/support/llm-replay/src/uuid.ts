/** In raw JSON the letter of an escape (`\n/tmp/x`) is not part of what follows it. */
export const AFTER_ESCAPE = '(?<=\\\\[nrtbf])|(?<=\\\\u[0-9a-fA-F]{4})'

/** Any UUID that is not part of a longer word. */
export const UUID_PATTERN: string =
  `(?:(?<![0-9A-Za-z])|${AFTER_ESCAPE})` +
  '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}(?![0-9A-Za-z])'

const WHOLE_UUID = new RegExp(`^${UUID_PATTERN}$`)

/** Whether a whole text is a UUID, of whatever version. */
export function isUuid(text: string): boolean {
  return WHOLE_UUID.test(text)
}
