// Writes without end: whole lines, one line, or to stderr.
import { chunk, serve } from './wire.mjs'

const [how] = process.argv.slice(2)
const text = 'x'.repeat(4_096)
const write = {
  lines: () => chunk('session-1', text),
  line: () => process.stdout.write(text),
  stderr: () => process.stderr.write(`${text}\n`),
}
serve({ 'session/prompt': () => setInterval(() => write[how](), 0) })
