import { Readable, Writable } from 'node:stream'
import { type AgentConnection, agent, methods, ndJsonStream } from '@agentclientprotocol/sdk'
import { type Context, Service } from '@deepseek-ai/cordis'
import { type Config, firstRootOf } from './config.ts'
import { AcpConnection } from './connection.ts'
import type { AcpService, AcpServing, AcpStreams } from './types.ts'

/** Serves the composition's agents over the protocol: `ctx.acp`. */
export class AcpBridge extends Service implements AcpService {
  // TypeScript-private only: calls go through a proxy, which #private does not survive.
  private readonly config: Config
  private roots: number

  constructor(ctx: Context, config: Config) {
    super(ctx, 'acp')
    this.config = config
    this.roots = firstRootOf(config, process.env)
  }

  serve({ input, output }: AcpStreams): AcpServing {
    const { ctx } = this
    const app = agent({ name: this.config.name ?? 'dsh-acp' })
    let bridge: AcpConnection | undefined
    const on = (): AcpConnection => bridge as AcpConnection
    app
      .onRequest(methods.agent.initialize, () => on().initialize())
      .onRequest(methods.agent.session.new, ({ params }) => on().newSession(params))
      .onRequest(methods.agent.session.load, ({ params }) => on().loadSession(params))
      .onRequest(methods.agent.session.prompt, ({ params, signal }) => on().prompt(params, signal))
      .onNotification(methods.agent.session.cancel, ({ params }) => on().cancel(params.sessionId))
      .onConnect((connection) => {
        bridge = new AcpConnection(ctx, this.config, connection.client, {
          over: connection.signal,
          nextRoot: () => this.roots++,
          onBroken: (reason) => {
            ctx.logger.warn('the client cannot be reached any more: %s', String(reason))
            connection.close(reason)
          },
        })
      })
    const observer = ctx.on('session/event', (session, event) => bridge?.observe(session, event))
    const opened: AgentConnection = app.connect(
      ndJsonStream(Writable.toWeb(output), Readable.toWeb(input) as ReadableStream<Uint8Array>),
    )
    const ended = opened.closed.then(async () => {
      observer()
      await ctx.agents.disposeAll()
    })
    return { closed: opened.closed, ended, close: () => opened.close() }
  }
}
