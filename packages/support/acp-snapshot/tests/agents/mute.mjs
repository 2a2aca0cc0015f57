// Takes everything and answers nothing.
import { serve } from './wire.mjs'

serve({ initialize: () => {}, 'session/prompt': () => {} })
