import { messageOf } from 'dsh-brand'
import { type Session, SessionError } from 'dsh-session'
import type { LogFile } from './log-file.ts'

/**
 * Writes what a session has committed since the last time. The session itself is the buffer: an
 * event is let go only by being on disk.
 */
export class SessionWriter {
  private readonly session: Session
  private readonly file: LogFile
  private running: Promise<void> = Promise.resolve()

  constructor(session: Session, file: LogFile) {
    this.session = session
    this.file = file
  }

  /**
   * Makes everything committed so far durable. Calls run one after another.
   * @throws SessionError `SECOND_WRITER`, `WRITE_FAILED`; the events are kept for the next call.
   */
  flush(): Promise<void> {
    const next = this.running.then(() => this.write())
    this.running = next.catch(() => undefined)
    return next
  }

  private async write(): Promise<void> {
    const events = this.session.events.slice(this.file.written)
    try {
      await this.file.write(this.session.header, events)
    } catch (cause) {
      if (cause instanceof SessionError) throw cause
      throw new SessionError(
        'WRITE_FAILED',
        `cannot write session log ${this.file.path}: ${messageOf(cause)}. ` +
          `The log is as it was; ${events.length} events are kept and written by the next flush that succeeds`,
        { cause },
      )
    }
  }
}
