import type { JsonObject } from 'dsh-brand'
import { ToolError } from './error.ts'

/** What is wrong with one value, at `path` from the root of the arguments. */
export interface ArgsIssue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** The part of a zod schema that tools need; structural, so that this package depends on no validator. */
export interface ArgsSchema<T> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: T }
    | { readonly success: false; readonly error: { readonly issues: readonly ArgsIssue[] } }
  toJSONSchema(options: { readonly io: 'input' }): object
}

/**
 * Checks the arguments of a call.
 * @throws ToolError `INVALID_ARGS`, naming every offending place.
 */
export function parseArgs<T>(tool: string, schema: ArgsSchema<T>, args: unknown): T {
  const result = schema.safeParse(args)
  if (result.success) return result.data
  const issues = result.error.issues.map(
    ({ path, message }) => `${path.length === 0 ? 'arguments' : pathText(path)}: ${message}`,
  )
  throw invalidArgs(tool, issues.join('; '))
}

/** The error of a call whose arguments cannot be used. */
export function invalidArgs(tool: string, problem: string): ToolError {
  return new ToolError('INVALID_ARGS', `invalid arguments for "${tool}": ${problem}`)
}

/**
 * The JSON Schema that a tool offers for its arguments. Without `$schema`: providers refuse or
 * ignore it, and it would be repeated in every recorded request header.
 */
export function parametersOf(schema: ArgsSchema<unknown>): JsonObject {
  const { $schema: _, ...parameters } = schema.toJSONSchema({ io: 'input' }) as JsonObject
  return parameters
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) =>
      typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${String(key)}`,
    )
    .join('')
}
