// Checks a log and says by how much the heap grew meanwhile, at its highest. In a process of its own:
// what else a process holds would be counted.
//
// Usage: node check-heap.mjs FILE

import { createReadStream, statSync } from 'node:fs'
import { checkLog } from '../../dist/cli/check.js'

const [, , file] = process.argv
const before = process.memoryUsage().heapUsed
let highest = before

async function* watched() {
  for await (const part of createReadStream(file)) {
    highest = Math.max(highest, process.memoryUsage().heapUsed)
    yield part
  }
}

const start = performance.now()
const { verdict, events, lines } = await checkLog(file, watched())
const seconds = (performance.now() - start) / 1000
const growth = highest - before
const { size } = statSync(file)
process.stdout.write(`${JSON.stringify({ verdict, events, lines, size, seconds, growth })}\n`)
