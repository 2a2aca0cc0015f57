// Behaves.
import { serve } from './wire.mjs'

serve()
