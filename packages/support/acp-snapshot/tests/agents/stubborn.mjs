// Goes on after the end of its stdin; after SIGTERM too, where told so.
import { serve } from './wire.mjs'

if (process.argv[2] === 'ignore-term') process.on('SIGTERM', () => process.stderr.write('no\n'))
serve()
setInterval(() => {}, 1_000)
