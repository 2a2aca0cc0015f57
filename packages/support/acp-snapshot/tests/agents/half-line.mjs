// Ends in the middle of a line.
import { serve } from './wire.mjs'

serve({ end: () => process.stdout.write('{"jsonrpc":"2.0","method":"session/upd') })
