import { type Context, Service } from '@deepseek-ai/cordis'
import { type Clock, type IdSource, systemClock, systemIds } from 'dsh-brand'
import type { LineageOf } from 'dsh-llm'
import { SessionError } from './error.ts'
import { formatLineage, lineageOf } from './lineage.ts'
import { SessionRegistry } from './registry.ts'
import type {
  CreateSessionOptions,
  Session,
  SessionBackend,
  SessionHeader,
  SessionId,
  SessionStore,
} from './types.ts'

/** Where time and identifiers come from; those of the machine where absent. */
export interface SessionServiceOptions {
  /** Stamps events and new sessions. Default: the clock of the machine. */
  readonly clock?: Clock
  /** Makes the ids of new sessions. Default: random UUIDs. */
  readonly ids?: IdSource
}

/** `ctx.sessions`; provides `ctx.lineageOf` too. */
export class SessionService extends Service implements SessionStore {
  // TypeScript-private only: calls go through a proxy, which #private does not survive.
  private readonly registry: SessionRegistry

  constructor(ctx: Context, options: SessionServiceOptions = {}) {
    super(ctx, 'sessions')
    this.registry = new SessionRegistry(ctx, options.clock ?? systemClock, options.ids ?? systemIds)
    ctx.provide('lineageOf', lineageText(this.registry))
  }

  create(options: CreateSessionOptions): Session {
    return this.registry.create(options)
  }

  load(id: SessionId): Promise<Session> {
    return this.registry.load(id)
  }

  get(id: SessionId): Session | undefined {
    return this.registry.get(id)
  }

  list(): readonly Session[] {
    return this.registry.list()
  }

  flush(session: Session): Promise<void> {
    return this.registry.flush(session)
  }

  dispose(session: Session): Promise<void> {
    return this.registry.dispose(session)
  }

  useBackend(backend: SessionBackend): () => void {
    const { registry } = this
    if (registry.backend !== undefined) {
      throw new SessionError(
        'DUPLICATE_BACKEND',
        `cannot use the session backend "${backend.name}": "${registry.backend.name}" is in use; disable one of the two rows`,
      )
    }
    // The caller's context: the backend goes when its plugin does.
    const dispose = this.ctx.effect(() => {
      registry.backend = backend
      return () => {
        registry.backend = undefined
      }
    }, `session backend ${backend.name}`)
    return () => void dispose()
  }
}

function lineageText(registry: SessionRegistry): LineageOf {
  const header = (id: string): SessionHeader | undefined => registry.get(id as SessionId)?.header
  return (id) => {
    const start = header(id)
    const lineage = start === undefined ? undefined : lineageOf(start, header)
    return lineage === undefined ? undefined : formatLineage(lineage)
  }
}
