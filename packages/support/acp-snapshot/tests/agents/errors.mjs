// Answers with errors, or with answers that say nothing.
import { answer, fail, serve } from './wire.mjs'

serve({
  'session/new': (request) =>
    request.params.additionalDirectories === undefined
      ? answer(request, process.argv[2] === 'nothing' ? {} : { sessionId: 'session-1' })
      : fail(request, -32602, 'Invalid params'),
  'session/prompt': (request) => {
    if (request.params.prompt[0].text === 'data')
      fail(request, -32000, 'denied', { why: 'because' })
    else fail(request, -32603, 'Internal error: turn failed: no luck')
  },
})
