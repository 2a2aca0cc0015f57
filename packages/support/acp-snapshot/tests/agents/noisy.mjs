// Says things on stdout that are not the protocol's, between things that are.
import { answer, chunk, send, serve } from './wire.mjs'

serve({
  initialize: (request) => {
    process.stdout.write('starting up…\n')
    answer(request, { protocolVersion: 1 })
  },
  'session/prompt': (request) => {
    process.stdout.write('[{"jsonrpc":"2.0","method":"x"}]\n')
    process.stdout.write(Buffer.from([0x22, 0xff, 0x22, 0x0a]))
    chunk(request.params.sessionId, 'hello')
    send({ id: request.id })
    answer(request, { stopReason: 'end_turn' })
  },
})
