import { SnapshotError } from '../error.ts'
import { DEEPEST, isTooDeep } from './json-scan.ts'

/** The lines of a JSON Lines text; a final newline does not start another line. */
export function splitLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** @throws SnapshotError `NOT_JSON`, also where it is nested too deep to be worked with, with the line's number (from 1) and its beginning. */
export function parseLine(line: string, number: number, what: string): unknown {
  if (isTooDeep(line)) {
    const problem = `nested deeper than ${DEEPEST} levels`
    throw new SnapshotError('NOT_JSON', `${what}: line ${number} is ${problem}`)
  }
  try {
    return JSON.parse(line)
  } catch (cause) {
    const shown = line.length > 80 ? `${line.slice(0, 80)}…` : line
    throw new SnapshotError(
      'NOT_JSON',
      `${what}: line ${number} is not JSON: ${JSON.stringify(shown)}`,
      { cause },
    )
  }
}

export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
