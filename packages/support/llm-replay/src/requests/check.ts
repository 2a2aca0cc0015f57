import type { GenerateOptions } from 'dsh-llm'
import type { Session } from 'dsh-session'
import type { Cursor } from '../cursor.ts'
import { ReplayError } from '../error.ts'
import * as words from '../messages.ts'
import type { Report } from '../report.ts'
import type { NormaliseRule } from '../rules.ts'
import { Caller } from './caller.ts'
import { describeDifference } from './excerpt.ts'
import { IdBook } from './ids.ts'
import { type NormalText, normalText } from './normal-text.ts'

/**
 * Compares every request with the one that the recording implies. A difference is reported and the
 * call is answered: a run that goes on shows in its outputs what came of it, and can be refreshed
 * where it only follows from what is logged.
 */
export class RequestCheck {
  private readonly report: Report | undefined
  private readonly ids = new IdBook()
  private readonly normal: NormalText
  /** Absent from its first difference on: what follows from that would hide what it is. */
  private readonly callers = new Map<Cursor, Caller | undefined>()

  /**
   * Without a report a difference fails the call: nobody would be told otherwise.
   * @throws ReplayError `CONFIG_INVALID` for rules that cannot be any
   */
  constructor(report: Report | undefined, rules: readonly NormaliseRule[] = []) {
    this.report = report
    this.normal = normalText(rules)
  }

  /**
   * `call` counts from 1 and is one of the script's.
   * @throws ReplayError `REQUEST_DIFFERS` where there is no report, and like `Report.write`
   */
  check(cursor: Cursor, call: number, request: GenerateOptions, live: Session | undefined): void {
    if (!this.callers.has(cursor)) {
      this.callers.set(cursor, new Caller(cursor, live, this.ids, this.normal))
    }
    const found = this.callers.get(cursor)?.difference(call, request, live)
    if (found === undefined) return
    this.callers.set(cursor, undefined)
    const { lane, session = null } = cursor
    const difference = describeDifference(found)
    if (this.report === undefined) {
      throw new ReplayError('REQUEST_DIFFERS', words.requestDiffers(cursor, call, difference))
    }
    this.report.write({ event: 'drifted', lane, session, call, ...difference })
  }
}
