// Closes one of its pipes and lives on.
import { closeSync } from 'node:fs'
import { answer, serve } from './wire.mjs'

const [stream] = process.argv.slice(2)
setInterval(() => {}, 1_000)
serve(
  stream === 'stdout'
    ? { 'session/prompt': () => closeSync(1) }
    : {
        'session/new': (request) => {
          process.stdin.once('close', () => {
            // Destroying it leaves the descriptor open.
            closeSync(0)
            answer(request, { sessionId: 'session-1' })
          })
          process.stdin.destroy()
        },
      },
)
