// Asks for permission before each answer, and tells on stderr what it was told.
import { answer, send, serve } from './wire.mjs'

let prompt
serve({
  'session/prompt': (request) => {
    prompt = request
    send({
      id: 'ask',
      method: 'session/request_permission',
      params: {
        sessionId: request.params.sessionId,
        toolCall: { toolCallId: 'call-1' },
        options: [
          { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
          { optionId: 'no', name: 'No', kind: 'reject_once' },
        ],
      },
    })
  },
  answered: ({ result }) => {
    process.stderr.write(`${JSON.stringify(result)}\n`)
    answer(prompt, { stopReason: 'end_turn' })
  },
})
