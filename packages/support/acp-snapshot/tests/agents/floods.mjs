// Writes without end: whole lines, short lines as fast as they are taken, one line, or to stderr.
import { writeFileSync, writeSync } from 'node:fs'
import { chunk, serve } from './wire.mjs'

const [how] = process.argv.slice(2)
const text = 'x'.repeat(4_096)
const ways = {
  lines: () => chunk('session-1', text),
  short: () => {
    const lines = Buffer.from('{"jsonrpc":"2.0","method":"x"}\n'.repeat(2_000))
    writeFileSync('flooding', '')
    for (;;) write(lines)
  },
  line: () => process.stdout.write(text),
  stderr: () => process.stderr.write(`${text}\n`),
}

// Blocks until all is taken, so that the pipe is always full.
function write(bytes) {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at)
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
    }
  }
}

serve({ 'session/prompt': () => setInterval(() => ways[how](), 0) })
