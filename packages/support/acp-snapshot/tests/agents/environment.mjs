// Writes down what it was given.
import { writeFileSync } from 'node:fs'
import { serve } from './wire.mjs'

writeFileSync('environment.json', JSON.stringify({ env: process.env, cwd: process.cwd() }))
serve()
