import type { Session } from 'dsh-session'
import type { Failure } from './failure.ts'

/** Logs what became of the model calls of one step, where that is wanted. */
export class OutcomeLog {
  private readonly session: Session
  private readonly place: { readonly turn: number; readonly step: number }
  private readonly wanted: boolean

  constructor(session: Session, turn: number, step: number, wanted: boolean) {
    this.session = session
    this.place = { turn, step }
    this.wanted = wanted
  }

  failed(failure: Failure): void {
    if (!this.wanted) return
    const { message, ...rest } = failure
    this.session.append('llm/failure', { ...this.place, kind: 'error', message, ...rest })
  }

  /** In words of our own: how an adapter puts an abort must not decide what a log holds. */
  aborted(): void {
    if (!this.wanted) return
    this.session.append('llm/failure', { ...this.place, kind: 'aborted', message: 'aborted' })
  }

  retrying(retry: number, maxRetries: number, delayMs: number): void {
    if (!this.wanted) return
    this.session.append('llm/retry', { ...this.place, retry, maxRetries, delayMs })
  }
}
