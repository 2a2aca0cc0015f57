import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { nodeFileSystem } from '../../packages/session/session-jsonl/dist/file-system.js'
import { readLog } from '../../packages/session/session-jsonl/dist/read-log.js'
import { bigLog } from '../../packages/session/session-jsonl/tests/stress/big-log.mjs'
import { pairedRatios, row } from '../lib/ratio.mjs'

const SIZE = 100e6

// What one load leaves behind must not be swept at the expense of the next.
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

/** Processor time to load a log: read, parsed, decoded, checked, frozen; packed over plain. */
export async function measure() {
  const dir = await mkdtemp(join(tmpdir(), 'dsh-bench-'))
  try {
    const [packed, plain] = [join(dir, 'packed'), join(dir, 'plain')]
    const turns = [...bigLog('plain', SIZE)].length
    await writeFile(plain, bigLog('plain', SIZE))
    await writeFile(packed, first(bigLog('packed', Infinity), turns))
    const pairs = await pairedRatios(
      5,
      () => load(packed),
      () => load(plain),
    )
    const name = `load a log of ${SIZE / 1e6} MB: packed ÷ plain`
    return row({ name, pairs, target: 0.5, better: 'below', unit: 'ms of processor' })
  } finally {
    await rm(dir, { recursive: true })
  }
}

function* first(pieces, count) {
  let left = count
  for (const piece of pieces) {
    yield piece
    if (--left === 0) return
  }
}

let events = 0
async function load(file) {
  collectGarbage()
  const before = process.cpuUsage()
  const log = await readLog(nodeFileSystem, file)
  const { user, system } = process.cpuUsage(before)
  events ||= log.events.length
  if (log.events.length !== events) throw new Error('the two logs differ')
  return (user + system) / 1000
}
