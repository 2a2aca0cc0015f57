import { isAbsolute } from 'node:path'
import {
  type AgentContext,
  type InitializeResponse,
  type LoadSessionRequest,
  type NewSessionRequest,
  type NewSessionResponse,
  PROTOCOL_VERSION,
  type PromptRequest,
  type PromptResponse,
  RequestError,
} from '@agentclientprotocol/sdk'
import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from 'dsh-agent'
import { brandString, DshError, messageOf } from 'dsh-brand'
import type { Session, SessionEvent } from 'dsh-session'
import type { Config } from './config.ts'
import { promptContent } from './content.ts'
import { Outbox } from './outbox.ts'
import { promptResponse } from './outcome.ts'
import { UpdateTranslator } from './updates.ts'

interface ConnectionOptions {
  /** Aborts when the connection is over. */
  readonly over: AbortSignal
  readonly nextRoot: () => number
  readonly onBroken: (reason: unknown) => void
}

interface Held {
  readonly agent: Agent
  readonly translator: UpdateTranslator
}

/** The sessions of one client connection, and what it may ask of them. */
export class AcpConnection {
  private readonly ctx: Context
  private readonly config: Config
  private readonly outbox: Outbox
  private readonly nextRoot: () => number
  private readonly over: AbortSignal
  private readonly held = new Map<string, Held>()

  constructor(
    ctx: Context,
    config: Config,
    client: Pick<AgentContext, 'notify'>,
    options: ConnectionOptions,
  ) {
    this.ctx = ctx
    this.config = config
    this.nextRoot = options.nextRoot
    this.over = options.over
    this.outbox = new Outbox(client, { onBroken: options.onBroken })
  }

  initialize(): InitializeResponse {
    const { name = 'dsh-acp', title, version = '0.1.0' } = this.config
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name, version, ...(title !== undefined && { title }) },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: false, audio: false, embeddedContext: true },
      },
      authMethods: [],
    }
  }

  newSession(params: NewSessionRequest): NewSessionResponse {
    checkPlace(params)
    const session = this.ctx.sessions.create({ cwd: params.cwd, root: this.nextRoot() })
    this.hold(session)
    return { sessionId: session.id }
  }

  /** Tells the client the whole conversation before it answers, as the protocol asks. */
  async loadSession(params: LoadSessionRequest): Promise<Record<string, never>> {
    checkPlace(params)
    if (params.sessionId === '') throw RequestError.invalidParams(undefined, 'sessionId is empty')
    const session = await this.ctx.sessions
      .load(brandString<'SessionId'>(params.sessionId))
      .catch((error: unknown) => {
        throw requestError(error)
      })
    if (session.cwd !== params.cwd) {
      const message = `session ${session.id} belongs to ${session.cwd}, not to ${params.cwd}`
      throw RequestError.invalidParams(undefined, message)
    }
    const held = this.held.get(session.id)
    if (held === undefined && this.ctx.agents.get(session) !== undefined) {
      const message = `session ${session.id} is at work for another session; load it when that is done`
      throw RequestError.invalidParams(undefined, message)
    }
    if (held?.agent.busy === true) {
      const message = `session ${session.id} is running a turn; load it when that is done`
      throw RequestError.invalidRequest(undefined, message)
    }
    const { translator } = held ?? this.hold(session)
    for (const event of session.events) {
      for (const update of translator.stored(event)) this.outbox.send(session.id, update)
    }
    return {}
  }

  async prompt(params: PromptRequest, signal: AbortSignal): Promise<PromptResponse> {
    const { agent } = this.find(params.sessionId)
    const content = promptContent(params.prompt)
    // The end of the connection aborts its requests too, but is no cancel: the turn is disposed.
    const cancel = (): void => {
      if (!this.over.aborted) agent.cancel('session/cancel')
    }
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const { reason } = await agent.prompt({ content })
      return promptResponse(reason)
    } catch (error) {
      throw requestError(error)
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  /** A notification: a session that is not here has nothing to cancel. */
  cancel(sessionId: string): void {
    this.held.get(sessionId)?.agent.cancel('session/cancel')
  }

  /** Passes on what happens in the sessions of this connection; others are not the client's. */
  observe(session: Session, event: SessionEvent): void {
    const update = this.held.get(session.id)?.translator.live(event)
    if (update !== undefined) this.outbox.send(session.id, update)
  }

  private hold(session: Session): Held {
    const { ctx } = this
    const translator = new UpdateTranslator(session.cwd, (name, args) => {
      const tool = ctx.tools.get(name)
      return {
        kind: tool?.kind ?? 'other',
        display: tool?.display?.(args) ?? { title: name },
      }
    })
    const held = { agent: ctx.agents.create({ session }), translator }
    this.held.set(session.id, held)
    return held
  }

  private find(sessionId: string): Held {
    const held = this.held.get(sessionId)
    if (held !== undefined) return held
    const message = `session ${sessionId} is not open on this connection; open it with session/new or session/load`
    throw RequestError.invalidParams(undefined, message)
  }
}

function checkPlace(params: NewSessionRequest | LoadSessionRequest): void {
  if (!isAbsolute(params.cwd)) {
    throw RequestError.invalidParams(undefined, `cwd must be absolute, got "${params.cwd}"`)
  }
  if (params.cwd.includes('\0')) {
    throw RequestError.invalidParams(undefined, 'cwd holds a NUL character, which no path can')
  }
  for (const key of ['additionalDirectories', 'mcpServers'] as const) {
    if ((params[key]?.length ?? 0) > 0) {
      throw RequestError.invalidParams(undefined, `${key} is not supported; leave it empty`)
    }
  }
}

/** Failures of the agent's own doing keep their words; the protocol's errors pass through. */
function requestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error
  const code = DshError.is(error) ? error.code : undefined
  switch (code) {
    case 'BUSY':
      return RequestError.invalidRequest(undefined, messageOf(error))
    case 'SESSION_NOT_FOUND':
    case 'UNSUPPORTED_VERSION':
    case 'CORRUPT_LOG':
      return RequestError.invalidParams(undefined, messageOf(error))
    default:
      return RequestError.internalError(undefined, messageOf(error))
  }
}
