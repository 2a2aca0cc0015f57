// Needs a moment after the end of its stdin, and still says something.
import { chunk, serve } from './wire.mjs'

serve({
  end: () => setTimeout(() => chunk('session-1', 'late'), 50),
})
