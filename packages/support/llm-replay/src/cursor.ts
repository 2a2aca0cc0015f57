import type { CwdMapping } from './cwd.ts'
import type { CallPosition, SessionScript } from './types.ts'

/** How far one caller has come in its lane. */
export interface Cursor {
  readonly session: string | undefined
  readonly lane: number
  readonly script: SessionScript
  readonly after: number
  /** Calls made so far, those of before a resume and those beyond the script included. */
  made: number
  /** The live step of the last call, where it is known. */
  lastStep: CallPosition | undefined
  /** From the recorded working directory to the session's, once a call has needed it. */
  mapping: CwdMapping | undefined
}
