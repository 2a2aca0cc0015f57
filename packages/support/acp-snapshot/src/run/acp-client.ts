import {
  type AnyMessage,
  type ClientConnection,
  type ClientContext,
  client,
  methods,
} from '@agentclientprotocol/sdk'
import type { PermissionAnswers } from './permissions.ts'
import { UpdateCounter } from './update-counter.ts'

/**
 * The official client, on messages that were read from stdout already. It never sees the pipe: a
 * line that is not protocol must be a fault of the run, and a pipe that closes must not look like an
 * answer.
 */
export class AcpClient {
  readonly updates: UpdateCounter = new UpdateCounter()
  private readonly connection: ClientConnection
  private inbox: ReadableStreamDefaultController<AnyMessage> | undefined

  constructor(send: (line: string) => void, permissions: PermissionAnswers) {
    const readable = new ReadableStream<AnyMessage>({
      start: (controller) => {
        this.inbox = controller
      },
    })
    const writable = new WritableStream<AnyMessage>({
      write: (message) => send(`${JSON.stringify(message)}\n`),
    })
    this.connection = client({ name: 'dsh-acp-snapshot' })
      .onRequest(methods.client.session.requestPermission, ({ params }) =>
        permissions.answer(params),
      )
      .onNotification(methods.client.session.update, () => {})
      .connect({ readable, writable })
  }

  get agent(): ClientContext {
    return this.connection.agent
  }

  deliver(message: AnyMessage): void {
    this.updates.see(message)
    this.inbox?.enqueue(message)
  }

  /** Pending requests reject; what comes later is dropped. */
  close(): void {
    this.inbox = undefined
    this.connection.close()
  }
}
