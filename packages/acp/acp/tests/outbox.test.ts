import { describe, expect, it } from 'vitest'
import { Outbox } from '../src/outbox.ts'

const update = {
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text: 'x' },
} as const

function client(): {
  readonly sent: unknown[]
  readonly settle: { resolve: () => void; reject: (error: Error) => void }[]
  notify: (method: string, params: unknown) => Promise<void>
} {
  const sent: unknown[] = []
  const settle: { resolve: () => void; reject: (error: Error) => void }[] = []
  return {
    sent,
    settle,
    notify(method, params) {
      sent.push([method, params])
      return new Promise((resolve, reject) => settle.push({ resolve, reject }))
    },
  }
}

describe('Outbox', () => {
  it('sends each update as session/update of its session', () => {
    const peer = client()
    new Outbox(peer, { onBroken: () => undefined }).send('s1', update)
    expect(peer.sent).toEqual([['session/update', { sessionId: 's1', update }]])
  })

  it('gives up once, with the reason, when a send fails, and sends nothing more', async () => {
    const peer = client()
    const broken: unknown[] = []
    const outbox = new Outbox(peer, { onBroken: (reason) => broken.push(reason) })
    outbox.send('s1', update)
    outbox.send('s1', update)
    const failure = new Error('EPIPE')
    peer.settle[0]?.reject(failure)
    peer.settle[1]?.reject(new Error('EPIPE again'))
    await Promise.resolve().then(() => undefined)
    expect(broken).toEqual([failure])
    outbox.send('s1', update)
    expect(peer.sent).toHaveLength(2)
  })

  it('bounds what waits for a client that does not read', async () => {
    const peer = client()
    const broken: Error[] = []
    const outbox = new Outbox(peer, { onBroken: (reason) => broken.push(reason as Error) }, 2)
    outbox.send('s1', update)
    outbox.send('s1', update)
    expect(broken).toEqual([])
    peer.settle[0]?.resolve()
    await Promise.resolve().then(() => undefined)
    outbox.send('s1', update)
    expect(broken).toEqual([])
    outbox.send('s1', update)
    expect(broken.map((error) => error.message)).toEqual([
      'the client has 2 unread updates; it does not read',
    ])
    expect(peer.sent).toHaveLength(3)
  })
})
