import { DshError } from 'dsh-brand'

/** What of a scenario, a config or a run is wrong. Stable, for programs. */
export type SnapshotErrorCode =
  | 'BAD_SCENARIO'
  | 'BAD_INPUT'
  | 'BAD_FIXTURE'
  | 'NOT_JSON'
  | 'BAD_MODE'
  | 'BAD_USAGE'
  | 'BAD_CONFIG'
  | 'BAD_REPORT'
  | 'STEP_FAILED'
  | 'BAD_MODEL'
  | 'BUSY'
  | 'CANNOT_WRITE'
  | 'STOPPED'

/** A fault of the scenario or of the call, found before or apart from a run. */
export class SnapshotError extends DshError {
  declare readonly code: SnapshotErrorCode

  constructor(code: SnapshotErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options)
  }
}
