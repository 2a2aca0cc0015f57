import { ReplayError } from './error.ts'
import type { Report } from './report.ts'
import type { RefusalCode } from './types.ts'

interface RefusalDetails {
  readonly lane?: number
  readonly call?: number
  readonly session: string | undefined
}

/** Reports a refusal and gives back the error that says the same. */
export type Refuse = (code: RefusalCode, message: string, details: RefusalDetails) => ReplayError

export function refusals(report: Report): Refuse {
  return (code, message, details) => {
    const error = new ReplayError(code, message)
    const session = details.session ?? null
    report.write({ event: 'refused', code, message: error.message, ...details, session })
    return error
  }
}
