// Behaves, on the official SDK's agent side; keeps its sessions in files, so that it can be restarted.
import { randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Readable, Writable } from 'node:stream'
import { agent, methods, ndJsonStream, RequestError } from '@agentclientprotocol/sdk'

const root = process.env.DSH_SNAPSHOT_SESSIONS_ROOT
const running = new Map()

const connection = agent({ name: 'official' })
  .onRequest(methods.agent.initialize, ({ params }) => {
    process.stderr.write(`meta ${JSON.stringify(params.clientCapabilities._meta ?? null)}\n`)
    return { protocolVersion: 1, agentCapabilities: { loadSession: true } }
  })
  .onRequest(methods.agent.session.new, ({ params }) => {
    if ((params.additionalDirectories ?? []).length > 0) throw RequestError.invalidParams()
    const sessionId = randomUUID()
    writeFileSync(path.join(root, `${sessionId}.jsonl`), `{"cwd":${JSON.stringify(params.cwd)}}\n`)
    return { sessionId }
  })
  .onRequest(methods.agent.session.load, ({ params }) => {
    if (!existsSync(path.join(root, `${params.sessionId}.jsonl`))) {
      throw RequestError.sessionNotFound(params.sessionId)
    }
    return {}
  })
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const { sessionId } = params
    const text = params.prompt[0].text
    if (text === 'fail') throw RequestError.internalError(undefined, 'turn failed: no luck')
    const content = { type: 'text', text: `you said ${text}` }
    await client.notify(methods.client.session.update, {
      sessionId,
      update: { sessionUpdate: 'agent_message_chunk', content },
    })
    if (text !== 'hang') return { stopReason: 'end_turn' }
    await new Promise((resolve) => running.set(sessionId, resolve))
    return { stopReason: 'cancelled' }
  })
  .onNotification(methods.agent.session.cancel, ({ params }) => {
    running.get(params.sessionId)?.()
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)))
await connection.closed
