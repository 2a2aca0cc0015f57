import {
  applyRequestHeaderDelta,
  diffRequestHeader,
  type RequestHeader,
  type Session,
} from 'dsh-session'

/** Keeps the log's account of the request header: whole at first, as deltas on change. */
export class HeaderLog {
  private readonly session: Session
  private last: RequestHeader | undefined

  constructor(session: Session) {
    this.session = session
  }

  /** Logs what changed since the instance's last request; nothing when nothing did. */
  record(header: RequestHeader): void {
    const last = this.last
    this.last = header
    if (last === undefined) {
      const resumed = this.session.events.some((event) => event.type === 'request/header')
      this.session.append('request/header', { header, reason: resumed ? 'resume' : 'initial' })
      return
    }
    const delta = diffRequestHeader(last, header)
    if (!sameJson(applyRequestHeaderDelta(last, delta), header)) {
      this.session.append('request/header', { header, reason: 'fallback' })
    } else if (Object.keys(delta).length > 0) {
      this.session.append('request/header-delta', delta)
    }
  }
}

function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
