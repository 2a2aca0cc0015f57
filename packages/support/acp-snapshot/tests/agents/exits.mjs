// Exits at a method (or at once, or at the end of stdin) with a code.
import { answer, serve } from './wire.mjs'

const [when, code] = process.argv.slice(2)
const exit = () => process.exit(Number(code))
if (when === 'at-once') exit()
serve({
  ...(when === 'end' ? { end: exit } : { [when]: exit }),
  // The last words of a process that goes right after them must not be lost.
  ...(when === 'after-new'
    ? {
        'session/new': (request) => {
          answer(request, { sessionId: 'last' })
          exit()
        },
      }
    : {}),
})
