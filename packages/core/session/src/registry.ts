import { isAbsolute } from 'node:path'
import type { Context } from '@deepseek-ai/cordis'
import { brandString, type Clock, type IdSource, messageOf } from 'dsh-brand'
import { SessionError } from './error.ts'
import { buildHeader } from './header.ts'
import { LiveSession, type SessionHost } from './live-session.ts'
import { notify } from './observers.ts'
import { deepFreeze } from './seal.ts'
import type {
  CreateSessionOptions,
  Session,
  SessionBackend,
  SessionId,
  StoredLog,
} from './types.ts'

/** The state behind `ctx.sessions`, out of reach of the service proxy. */
export class SessionRegistry {
  backend: SessionBackend | undefined
  private readonly ctx: Context
  private readonly clock: Clock
  private readonly ids: IdSource
  private readonly live = new Map<SessionId, LiveSession>()
  private readonly loading = new Map<SessionId, Promise<Session>>()
  private readonly disposals = new WeakMap<Session, Promise<void>>()
  private readonly host: SessionHost
  private lastCreatedAt = -1

  constructor(ctx: Context, clock: Clock, ids: IdSource) {
    this.ctx = ctx
    this.clock = clock
    this.ids = ids
    this.host = {
      now: () => clock.now(),
      committed: (session, event) => notify(ctx, 'session/event', session, event),
    }
  }

  create(options: CreateSessionOptions): Session {
    const { cwd, parentSession, seed = [], spawnedBy, root } = options
    if (!isAbsolute(cwd)) {
      throw new SessionError('INVALID_SESSION', `a session's cwd must be absolute, not "${cwd}"`)
    }
    const id = brandString<'SessionId'>(this.ids.uuid())
    if (this.live.has(id)) {
      throw new SessionError('INVALID_SESSION', `a session with the id "${id}" exists already`)
    }
    const seedLength = seed.length === 0 ? undefined : seed.length
    const createdAt = this.nextCreatedAt()
    const header = buildHeader({ id, createdAt, cwd, parentSession, seedLength, spawnedBy, root })
    return this.announce(new LiveSession({ header, cwd, events: seed }, this.host))
  }

  load(id: SessionId): Promise<Session> {
    const live = this.live.get(id)
    if (live !== undefined && !this.disposals.has(live)) return Promise.resolve(live)
    const running = this.loading.get(id)
    if (running !== undefined) return running
    const loading = this.restore(id).finally(() => this.loading.delete(id))
    this.loading.set(id, loading)
    return loading
  }

  get(id: SessionId): Session | undefined {
    return this.live.get(id)
  }

  list(): readonly Session[] {
    return [...this.live.values()]
  }

  async flush(session: Session): Promise<void> {
    try {
      await this.ctx.parallel('session/flush', session)
    } catch (error) {
      const { errors } = error as AggregateError
      if (errors.length === 1) throw errors[0]
      throw new AggregateError(
        errors,
        `${errors.length} listeners failed to flush session "${session.id}": ${errors.map(messageOf).join('; ')}`,
        { cause: error },
      )
    }
  }

  dispose(session: Session): Promise<void> {
    const running = this.disposals.get(session)
    if (running !== undefined) return running
    const disposal = this.end(session as LiveSession)
    this.disposals.set(session, disposal)
    return disposal
  }

  private async restore(id: SessionId): Promise<Session> {
    const ending = this.live.get(id)
    if (ending !== undefined) {
      // Its last events are being written. Should that fail, it stays live.
      await Promise.allSettled([this.disposals.get(ending)])
      if (this.live.has(id)) return ending
    }
    if (this.backend === undefined) {
      throw new SessionError(
        'NO_BACKEND',
        `cannot load session "${id}": no session backend is mounted`,
      )
    }
    const stored = await this.backend.load(id)
    if (stored === undefined) {
      throw new SessionError('SESSION_NOT_FOUND', `there is no stored session "${id}"`)
    }
    return this.announce(this.revive(stored))
  }

  private revive({ header, events }: StoredLog): LiveSession {
    const { cwd } = header
    if (cwd === undefined) {
      throw new SessionError(
        'CORRUPT_LOG',
        `cannot load session "${header.id}": its header has no cwd, so its tools have no place to act`,
      )
    }
    try {
      return new LiveSession({ header: deepFreeze(header), cwd, events }, this.host)
    } catch (cause) {
      throw new SessionError('CORRUPT_LOG', `corrupt session log: ${messageOf(cause)}`, { cause })
    }
  }

  private announce(session: LiveSession): Session {
    this.live.set(session.id, session)
    notify(this.ctx, 'session/created', session)
    return session
  }

  private async end(session: LiveSession): Promise<void> {
    session.setClosed(true)
    try {
      await this.flush(session)
    } catch (error) {
      // What could not be written is still held; the caller may try again.
      session.setClosed(false)
      this.disposals.delete(session)
      throw error
    }
    this.live.delete(session.id)
    notify(this.ctx, 'session/disposed', session)
  }

  /** Ties are bumped, so that children made within one millisecond keep their order. */
  private nextCreatedAt(): number {
    this.lastCreatedAt = Math.max(this.clock.now(), this.lastCreatedAt + 1)
    return this.lastCreatedAt
  }
}
