import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}
export type Answer = (response: ServerResponse, request: Received) => void

/** A provider on the loopback interface. Answers calls with the given functions, in order. */
export class TestServer {
  readonly received: Received[] = []
  /** Settles for call n once its connection has closed or its answer was sent whole. */
  readonly closed: Promise<void>[] = []
  private readonly server: Server
  private readonly answers: Answer[]
  private waiting: (() => void)[] = []

  private constructor(answers: Answer[]) {
    this.answers = answers
    this.server = createServer((request, response) => {
      const parts: Buffer[] = []
      const index = this.closed.length
      this.closed.push(new Promise((resolve) => response.once('close', resolve)))
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const received = {
          method: request.method ?? '',
          path: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(parts).toString(),
        }
        this.received.push(received)
        const answer = this.answers[index]
        if (answer === undefined) response.destroy(new Error(`call ${index} was not expected`))
        else answer(response, received)
        for (const wake of this.waiting.splice(0)) wake()
      })
    })
  }

  static async start(...answers: Answer[]): Promise<TestServer> {
    const self = new TestServer(answers)
    await new Promise<void>((resolve) => self.server.listen(0, '127.0.0.1', resolve))
    return self
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }
  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Resolves once `count` calls have been answered. */
  async calls(count: number): Promise<void> {
    while (this.received.length < count) {
      await new Promise<void>((resolve) => this.waiting.push(resolve))
    }
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}

const sse = { 'content-type': 'text/event-stream; charset=utf-8' }

export const event = (data: unknown): string =>
  `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`

export const delta = (delta: object, finish: string | null = null): object => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
})

/** Sends these events and ends the answer. */
export const events =
  (...data: unknown[]): Answer =>
  (response) => {
    response.writeHead(200, sse)
    response.end(data.map(event).join(''))
  }

/** Sends these events and leaves the answer open. */
export const open =
  (...data: unknown[]): Answer =>
  (response) => {
    response.writeHead(200, sse)
    response.write(`: keep-alive\n\n${data.map(event).join('')}`)
  }

export const status =
  (code: number, body: string, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(code, headers)
    response.end(body)
  }
