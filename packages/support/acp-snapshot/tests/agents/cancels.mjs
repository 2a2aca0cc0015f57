// A turn that hangs until it is cancelled. The prompt's text is a list of what happens before:
// `chunk`, `other`, `call`, `progress`, `file`, `report:<JSON line>`, `end`, `fail`, `reject`. After `late`
// the cancel finds a turn that has come to its end.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { answer, chunk, fail, serve, update } from './wire.mjs'

let prompt
let late = false
serve({
  'session/prompt': (request) => {
    prompt = request
    const { sessionId } = request.params
    for (const what of request.params.prompt[0].text.split('|')) {
      if (what === 'chunk') chunk(sessionId, 'a')
      if (what === 'other') update(sessionId, { sessionUpdate: 'plan', entries: [] })
      if (what === 'call')
        update(sessionId, { sessionUpdate: 'tool_call', toolCallId: 'a', title: 'a' })
      if (what === 'progress')
        update(sessionId, { sessionUpdate: 'tool_call_update', toolCallId: 'a' })
      if (what === 'late') late = true
      if (what === 'file') writeFileSync('started', '')
      if (what === 'end') answer(request, { stopReason: 'end_turn' })
      if (what === 'reject') fail(request, -32602, 'Invalid params')
      if (what === 'fail') fail(request, -32603, 'no luck')
      if (what.startsWith('report:')) {
        appendFileSync(process.env.DSH_SNAPSHOT_REPORT, `${what.slice('report:'.length)}\n`)
      }
    }
  },
  'session/cancel': () => {
    const report = process.env.DSH_SNAPSHOT_REPORT
    const lines =
      report !== undefined && existsSync(report)
        ? readFileSync(report, 'utf8').split('\n').length - 1
        : 0
    const content = { type: 'text', text: `cancelled at report line ${lines}` }
    update('session-1', { sessionUpdate: 'agent_thought_chunk', content })
    answer(prompt, { stopReason: late ? 'end_turn' : 'cancelled' })
  },
})
