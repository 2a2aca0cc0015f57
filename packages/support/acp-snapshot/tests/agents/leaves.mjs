// Starts processes that outlive it, in one of several disguises.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { answer, serve } from './wire.mjs'

const ways = {
  marked: { cwd: '/', stdio: 'ignore' },
  // It keeps the agent's stdout open, too.
  'in-cwd': { env: {}, stdio: 'inherit' },
  'only-seen': { cwd: '/', env: {}, stdio: 'ignore' },
  'in-group': { cwd: '/', env: {}, stdio: 'ignore', detached: false },
}
const way = process.argv[2]
const start = (program, args, options) =>
  spawn(program, args, { detached: true, ...options }).unref()
serve({
  initialize: (request) => {
    if (way === 'short') start('/bin/sleep', ['0.1'], ways.marked)
    else start('/bin/sleep', ['600.25'], ways[way])
    answer(request, { protocolVersion: 1 })
  },
  'session/prompt': (request) => {
    if (request.params.prompt[0].text === 'hang') writeFileSync('started', '')
    else answer(request, { stopReason: 'end_turn' })
  },
})
