import { ReplayError } from './error.ts'
import type { Poison, RefusedAt } from './poison.ts'
import type { Report } from './report.ts'
import type { RefusalCode } from './types.ts'

interface RefusalDetails extends RefusedAt {
  readonly call?: number
}

/** Reports a refusal, remembers it, and gives back the error that says the same. */
export type Refuse = (code: RefusalCode, message: string, details: RefusalDetails) => ReplayError

export function refusals(report: Report, poison: Poison): Refuse {
  return (code, message, details) => {
    const error = new ReplayError(code, message)
    const session = details.session ?? null
    poison.note(code, message, details)
    report.write({ event: 'refused', code, message: error.message, ...details, session })
    return error
  }
}
