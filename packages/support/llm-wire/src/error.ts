import { DshError } from 'dsh-brand'

/** What is wrong with a script or with the use of the model. Stable, for programs. */
export type WireErrorCode = 'BAD_SCRIPT' | 'BAD_USAGE' | 'UNKNOWN_PAUSE' | 'NOT_HELD' | 'CLOSED'

/** A fault in the script or in the use of the model; a refused request is not one. */
export class WireError extends DshError {
  declare readonly code: WireErrorCode

  constructor(code: WireErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options)
  }
}
