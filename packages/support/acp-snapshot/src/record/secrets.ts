import { isFields, parseLine, splitLines } from '../log/lines.ts'
import { formatPath } from '../log/path.ts'
import { findLogRuns } from '../normalise/log-runs.ts'
import { findStdoutRuns } from '../normalise/stdout-runs.ts'
import type { SecretShape } from './secret-shapes.ts'

/** A secret in a text that was about to be written. */
export interface SecretFinding {
  readonly file: string
  /** Line of the file, from 1. */
  readonly line: number
  /** Where in the line's value; empty in a text that is no JSON. */
  readonly path: string
  readonly what: string
  /** Its beginning and its length: enough to find it, not enough to use it. */
  readonly shown: string
}

interface Place {
  readonly line: number
  readonly path: string
  readonly text: string
}

/**
 * Looks for secrets in what is about to be committed: in every string and, since streams cut
 * anywhere, in every text that pieces amount to. One finding per text and kind.
 */
export function findSecrets(
  files: ReadonlyMap<string, string>,
  shapes: readonly SecretShape[],
): SecretFinding[] {
  return [...files].flatMap(([file, text]) => {
    const seen = new Set<string>()
    return placesOf(file, text).flatMap(({ text, ...where }) =>
      shapes.flatMap(({ name, pattern }) => {
        const [match] = unescaped(text).matchAll(pattern)
        if (match === undefined) return []
        const finding = { file, ...where, what: name, shown: masked(match[0]) }
        // A whole text stands at its first piece, which may hold the secret by itself.
        const key = JSON.stringify(finding)
        if (seen.has(key)) return []
        seen.add(key)
        return [finding]
      }),
    )
  })
}

/** One line for people. */
export function describeSecret({ file, line, path, what, shown }: SecretFinding): string {
  return `${file}:${line}${path === '' ? '' : ` ${path}`}: ${what} (${shown})`
}

/** JSON inside a string may spell any character by its number. */
function unescaped(text: string): string {
  return text.replaceAll(/\\u([0-9A-Fa-f]{4})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

function masked(secret: string): string {
  return `${secret.slice(0, 4)}…, ${secret.length} characters`
}

function placesOf(file: string, text: string): Place[] {
  const lines = splitLines(text)
  if (!file.endsWith('.jsonl')) {
    return lines.map((line, index) => ({ line: index + 1, path: '', text: line }))
  }
  const values = lines.map((line, index) => parseLine(line, index + 1, file))
  const runs = [...findLogRuns(values).wholes(), ...findStdoutRuns(values).wholes()]
  return [
    ...values.flatMap((value, index) => [...strings(value, index + 1, [])]),
    ...runs.map(({ line, path, text }) => ({ line: line + 1, path: formatPath(path), text })),
  ]
}

function* strings(
  value: unknown,
  line: number,
  path: readonly (string | number)[],
): Iterable<Place> {
  if (typeof value === 'string') yield { line, path: formatPath(path), text: value }
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* strings(item, line, [...path, index])
  } else if (isFields(value)) {
    for (const [key, item] of Object.entries(value)) {
      yield { line, path: formatPath(path), text: key }
      yield* strings(item, line, [...path, key])
    }
  }
}
