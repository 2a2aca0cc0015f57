// No false alarms: the committed scenarios over and over, with the machine under load.
//
// Usage: pnpm run steady [--tier N] [--delicate N] [--load N] [--workers N]
//
//   --tier N      rounds of all scenarios (default: 50)
//   --delicate N  rounds of those that cancel or have several sessions (default: 300)
//   --load N      threads that do nothing but keep a processor busy meanwhile (default: 2)
//   --workers N   how many scenarios run at a time (default: 2)
//
// Keeps the folder of the first run that failed, and exits with 1 where any did. It needs the built
// output (`pnpm build`).

import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { scenariosIn } from './steady/delicate.mjs'
import { Tally } from './steady/tally.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const SNAPSHOTS = join(root, 'examples/acp-agent/tests/snapshots')
const HARNESS = join(root, 'packages/support/acp-snapshot/bin.js')
const AGENT = JSON.stringify([process.execPath, join(root, 'examples/acp-agent/bin.js')])

const { values } = parseArgs({
  options: {
    tier: { type: 'string', default: '50' },
    delicate: { type: 'string', default: '300' },
    load: { type: 'string', default: '2' },
    workers: { type: 'string', default: '2' },
  },
})

function count(name) {
  const value = Number(values[name])
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw new Error(`--${name} must be a whole number from 0, got "${values[name]}"`)
}

const say = (text) => process.stdout.write(`${text}\n`)
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop.abort())

/** One run of the product's command over the scenarios. */
async function replay(names, tally, round) {
  const args = ['replay', ...names, '--dir', SNAPSHOTS, '--agent', AGENT, '--json']
  const child = spawn(process.execPath, [HARNESS, ...args, '--workers', values.workers], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const end = () => child.kill('SIGTERM')
  stop.signal.addEventListener('abort', end)
  const closed = new Promise((resolve, reject) => {
    child.on('close', resolve)
    child.on('error', reject)
  })
  const before = { runs: tally.runs, failed: tally.failed }
  for await (const line of createInterface({ input: child.stdout })) {
    // What was interrupted says nothing of the product.
    if (stop.signal.aborted) continue
    const failure = tally.take(line, round)
    // One folder tells enough, and a disk is soon full of them.
    if (failure?.runDir !== undefined && failure !== tally.first) {
      rmSync(failure.runDir, { recursive: true, force: true })
    }
  }
  const code = await closed
  stop.signal.removeEventListener('abort', end)
  if (stop.signal.aborted) return
  const runs = tally.runs - before.runs
  const expected = tally.failed > before.failed ? 1 : 0
  if (runs !== names.length || code !== expected) {
    throw new Error(
      `round ${round}: ${runs} of ${names.length} scenarios were judged, and the command ended with ${code}, expected ${expected}`,
    )
  }
}

async function rounds(title, names, times) {
  if (times === 0 || stop.signal.aborted) return
  const tally = new Tally()
  const began = performance.now()
  say(`${title}: ${names.length} scenarios, ${times} rounds`)
  for (let round = 1; round <= times && !stop.signal.aborted; round += 1) {
    await replay(names, tally, round)
    if (round % 10 === 0 && round < times) say(`  round ${round}: ${tally.failed} failed`)
  }
  for (const line of tally.words()) say(`  ${line}`)
  say(`  ${Math.round((performance.now() - began) / 1000)} s`)
  if (tally.failed > 0) process.exitCode = 1
}

const load = Array.from({ length: count('load') }, () => new Worker('for (;;);', { eval: true }))
try {
  const { all, delicate } = scenariosIn(SNAPSHOTS)
  await rounds('the whole tier', all, count('tier'))
  await rounds('what cancels or has several sessions', delicate, count('delicate'))
} finally {
  await Promise.all(load.map((thread) => thread.terminate()))
}
if (stop.signal.aborted) process.exitCode = 130
