#!/usr/bin/env node
import { systemClock } from 'dsh-brand'
import { main } from './dist/bundle/bin/main.js'

const code = await main({
  args: process.argv.slice(2),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  clock: systemClock,
  onSignal: (stop) => {
    process.once('SIGTERM', stop)
    process.once('SIGINT', stop)
  },
})
process.exit(code)
