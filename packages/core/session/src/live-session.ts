import type { Message } from 'dsh-llm'
import { envelopeProblem } from './envelope.ts'
import { SessionError } from './error.ts'
import { sealJson } from './seal.ts'
import { Surface } from './surface.ts'
import type { AppendExtras, Session, SessionEvent, SessionHeader, SessionId } from './types.ts'

/** What a session needs from its store. */
export interface SessionHost {
  now(): number
  /** Tells the observers. Never throws. */
  committed(session: Session, event: SessionEvent): void
}

export interface LiveSessionParts {
  readonly header: SessionHeader
  readonly cwd: string
  /** Events that the session begins with, `seq` contiguous from 0. */
  readonly events: readonly SessionEvent[]
}

/** A session in memory. Made by the store only. */
export class LiveSession implements Session {
  readonly header: SessionHeader
  readonly cwd: string
  readonly events: readonly SessionEvent[]
  private readonly host: SessionHost
  private readonly log: SessionEvent[] = []
  private readonly surface = new Surface()
  private telling = false
  private closed = false

  /** @throws SessionError `INVALID_EVENT` for events that could not have been appended. */
  constructor(parts: LiveSessionParts, host: SessionHost) {
    this.host = host
    this.header = parts.header
    this.cwd = parts.cwd
    this.events = this.log
    for (const event of parts.events) this.admit(event)
  }

  get id(): SessionId {
    return this.header.id
  }

  append(type: string, data: unknown, extras: AppendExtras = {}): SessionEvent {
    if (this.closed) {
      throw new SessionError(
        'SESSION_DISPOSED',
        `cannot append ${type} to session "${this.id}": it has been disposed`,
      )
    }
    if (this.telling) {
      throw new SessionError(
        'REENTRANT_APPEND',
        `cannot append ${type} to session "${this.id}" from one of its observers: ` +
          'append after the event has been observed by all',
      )
    }
    const event = this.admit(this.envelope(type, data, extras))
    this.telling = true
    try {
      this.host.committed(this, event)
    } finally {
      this.telling = false
    }
    return event
  }

  history(): readonly Message[] {
    return this.surface.messages()
  }

  /** Refuses (or, after a failed disposal, accepts again) further appends. */
  setClosed(closed: boolean): void {
    this.closed = closed
  }

  private envelope(type: string, data: unknown, extras: AppendExtras): SessionEvent {
    const { sourceEventSeqs, surfaceOp } = extras
    return {
      type,
      seq: this.log.length,
      time: this.host.now(),
      data,
      ...(sourceEventSeqs === undefined ? {} : { sourceEventSeqs }),
      ...(surfaceOp === undefined ? {} : { surfaceOp }),
    }
  }

  private admit(event: SessionEvent): SessionEvent {
    const seq = this.log.length
    const problem =
      envelopeProblem(event) ??
      (event.seq === seq ? undefined : `"seq" is ${event.seq}, where ${seq} must follow`) ??
      this.surface.problem(event.surfaceOp) ??
      sealJson(event, 'event')
    if (problem !== undefined) {
      throw new SessionError(
        'INVALID_EVENT',
        `event ${seq} (${event.type}) of session "${this.id}" is invalid: ${problem}`,
      )
    }
    this.log.push(event)
    this.surface.apply(event)
    return event
  }
}
