import { DshError } from 'dsh-brand'
import type { RowProblem } from './types.ts'

/**
 * - `NOT_LOADED`: rows are not active; `problems` says which and why.
 * - `YAML_SYNTAX`, `INVALID_FILE`: a composition file cannot be read as a list of rows.
 * - `INVALID_ROWS`: rows with a wrong shape or a duplicate id.
 * - `INVALID_PATCH`: a patch that would not be applied as written.
 * - `IMPORT_FAILED`, `NOT_A_PLUGIN`: what a row names cannot be loaded.
 * - `READ_ONLY`: something asked for a composition file to be written.
 * - `DISPOSE_TIMEOUT`: clean-up did not end in time.
 */
export type BootErrorCode =
  | 'NOT_LOADED'
  | 'YAML_SYNTAX'
  | 'INVALID_FILE'
  | 'INVALID_ROWS'
  | 'INVALID_PATCH'
  | 'IMPORT_FAILED'
  | 'NOT_A_PLUGIN'
  | 'READ_ONLY'
  | 'DISPOSE_TIMEOUT'

/** Why a composition does not run: its file, or its rows, each with its problem. */
export class BootError extends DshError {
  declare readonly code: BootErrorCode
  /** One per row that does not run; empty unless `code` is `NOT_LOADED`. */
  readonly problems: readonly RowProblem[]

  constructor(
    code: BootErrorCode,
    message: string,
    options: ErrorOptions & { readonly problems?: readonly RowProblem[] } = {},
  ) {
    super(code, message, options)
    this.problems = options.problems ?? []
  }
}
