// Prints each measurement as the median ratio of its pairs. A missed target is said, never hidden,
// and fails nothing: machines differ, and a gate that depends on their mood proves nothing.
import { readdir } from 'node:fs/promises'
import { cpus } from 'node:os'

const names = process.argv.slice(2)
const files = (await readdir(new URL('measures', import.meta.url)))
  .filter((file) => file.endsWith('.mjs'))
  .filter((file) => names.length === 0 || names.includes(file.slice(0, -'.mjs'.length)))
  .sort()
if (files.length === 0) {
  process.stderr.write(`no measure called ${names.join(', ')}\n`)
  process.exit(2)
}

const say = (text) => process.stdout.write(`${text}\n`)
say(`node ${process.version}, ${cpus().length} processors, medians of pairs\n`)
for (const file of files) {
  const { measure } = await import(new URL(`measures/${file}`, import.meta.url))
  const { name, ratio, a, b, unit, target, met, rounds } = await measure()
  say(`${met ? 'met   ' : 'MISSED'} ${ratio.toFixed(2)} (target ${target})  ${name}`)
  say(`       ${a.toFixed(1)} ÷ ${b.toFixed(1)} ${unit}, ${rounds} pairs`)
}
