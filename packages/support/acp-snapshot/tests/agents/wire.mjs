// JSON-RPC over stdio by hand, so that an agent can also do what the SDK would never do.
import { createInterface } from 'node:readline'

export function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

export function answer(request, result) {
  send({ id: request.id, result })
}

export function fail(request, code, message, data) {
  send({ id: request.id, error: { code, message, ...(data === undefined ? {} : { data }) } })
}

export function chunk(sessionId, text) {
  update(sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
}

export function update(sessionId, value) {
  send({ method: 'session/update', params: { sessionId, update: value } })
}

const defaults = {
  initialize: (request) =>
    answer(request, { protocolVersion: 1, agentCapabilities: { loadSession: true } }),
  'session/new': (request) => answer(request, { sessionId: 'session-1' }),
  'session/load': (request) => answer(request, {}),
  'session/prompt': (request) => {
    chunk(request.params.sessionId, 'hello')
    answer(request, { stopReason: 'end_turn' })
  },
  'session/cancel': () => {},
}

// Handles each message by its method; what has no method (an answer to us) goes to `answered`.
export function serve(handlers = {}) {
  const all = { ...defaults, ...handlers }
  const lines = createInterface({ input: process.stdin })
  lines.on('line', (line) => {
    const message = JSON.parse(line)
    if (message.method === undefined) all.answered?.(message)
    else all[message.method](message)
  })
  lines.on('close', () => all.end?.())
}
